//! Seconds since 1970 as RFC 3339 writes them, in UTC: `2026-11-30T18:15:42Z`.
//!
//! Days are counted as Howard Hinnant's `days_from_civil` does: in eras of 400 years, each year from March on.

const DAY: u64 = 24 * 60 * 60;
/// Days in 400 years.
const ERA: u64 = 146_097;
/// From the first of March of the year 0 to the first of January 1970.
const TO_1970: u64 = 719_468;

/// Writes a moment.
pub(super) fn written(seconds: u64) -> String {
    let days = seconds / DAY + TO_1970;
    let (era, day) = (days / ERA, days % ERA);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads what [`written`] writes.
pub(super) fn read(text: &str) -> Option<u64> {
    let numbers = |text: &str, separator: char| {
        let mut numbers = text.split(separator).map(|number| number.parse::<u64>().ok());
        Some([numbers.next()??, numbers.next()??, numbers.next()??])
    };
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = year - u64::from(month <= 2);
    let from_march = if month > 2 { month - 3 } else { month + 9 };
    let year_of_era = year % 400;
    let day = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * from_march + 2) / 5 + day - 1;
    let seconds = ((year / 400 * ERA + day).checked_sub(TO_1970)?) * DAY;
    let of_day = hour.checked_mul(3600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
    (of_day < DAY).then_some(seconds + of_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_796_062_542, "2026-11-30T18:15:42Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!((written(seconds).as_str(), read(text)), (text, Some(seconds)));
        }
        for days in 0..200_000 {
            assert_eq!(read(&written(days * DAY + 7)), Some(days * DAY + 7));
        }
        for text in ["", "2026", "2026-11-30", "2026-13-01T00:00:00Z", "2026-11-30T24:00:00Z", "-2026-1-1T0:0:0Z"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&format!("2026-11-30T{0}:{0}:{0}Z", u64::MAX)), None);
        written(u64::MAX);
    }
}
