// mcp-analyzer in a real VS Code.
//
//   MCP_ANALYZER_TEST_VSCODE=DIR MCP_ANALYZER_SERVER=/path/to/mcp-analyzer node editors/vscode/test/run.mjs
//
// DIR is what .ci/install-editors made. Where MCP_ANALYZER_TEST_SERVERS names real servers (see
// .ci/install-servers), it has them probed as well. Screenshots go to $SHOTS, else to a temporary
// directory that is kept after a failure. Ends with "N passed, N failed".

import { checking } from "./checking.mjs";
import { probing } from "./probing.mjs";
import { Workbench } from "./workbench.mjs";

const servers = process.env.MCP_ANALYZER_TEST_SERVERS;
const workbench = new Workbench();
try {
  await workbench.start();
  await checking(workbench);
  if (servers) await probing(workbench, servers);
} catch (error) {
  // A failed check has been told.
  if (workbench.failed === 0) throw error;
} finally {
  await workbench.end();
}
process.exitCode = workbench.failed === 0 ? 0 : 1;
