/**
 * What checks a block of code of a page: the test file that runs it or compares it, or one of the checks of
 * `snippets.test.ts`. A `drawing` contains nothing that could be run.
 */
export type Check = `test/${string}.test.ts` | 'shell' | 'routes' | 'folders' | 'drawing'

const RUN = 'test/docs/snippets/run.test.ts'
const PACKAGE = 'test/scripts/buildClient/package.test.ts'
const PYTHON = 'test/client/pythonClient.test.ts'
const AUDITING = 'test/docs/auditing.test.ts'
const RECEIPTS = 'test/docs/receipts.test.ts'
const AGENTS = 'test/docs/agents.test.ts'
const CONSENT = 'test/docs/consent.test.ts'
const PROOFS = 'test/docs/agentProofs.test.ts'
const EXAMPLES = 'test/client/examples.test.ts'
const ADAPTERS = 'test/client/adapters.test.ts'
const GATE = 'test/gate/mcp/service.test.ts'
const FORMER_KEYS = 'test/deploy/formerKeys.test.ts'
const REVERSE_PROXY = 'test/docs/reverseProxy.test.ts'
const QUICKSTARTS = 'test/docs/quickstarts.test.ts'

/** The check of every block of every page, in the order of the page. */
export const CHECKS_OF_PAGES: Record<string, readonly Check[]> = {
  'README.md': ['shell'],
  'cli/README.md': [RUN],
  'client/README.md': ['shell', ...Array<Check>(8).fill(PACKAGE), PACKAGE, RUN],
  'clients/python/README.md': ['shell', PYTHON, PYTHON, 'shell'],
  'docs/agent-card.md': [RUN],
  'docs/agents.md': [AGENTS, AGENTS, AGENTS, CONSENT, CONSENT, 'routes', AGENTS, 'shell', PROOFS, PROOFS],
  'docs/architecture.md': ['drawing', 'folders'],
  'docs/auditing.md': [...Array<Check>(15).fill(AUDITING), 'shell', 'shell', 'shell'],
  'docs/authzen.md': [RUN],
  'docs/cli.md': [RUN],
  'docs/concepts/boundaries.md': [RUN],
  'docs/credentials.md': ['routes'],
  'docs/foreign-agents.md': [RUN, 'routes', 'shell', 'routes'],
  'docs/frameworks.md': Array<Check>(6).fill(ADAPTERS),
  'docs/gate.md': ['shell', 'shell', GATE, GATE, RUN],
  'docs/life-of-a-registration.md': ['drawing'],
  'docs/life-of-an-identity.md': ['drawing'],
  'docs/mandates.md': [RUN],
  'docs/mcp.md': [RUN],
  'docs/mutation.md': ['shell'],
  'docs/operations.md': [
    ...Array<Check>(3).fill(RUN),
    ...Array<Check>(10).fill('shell'),
    ...Array<Check>(3).fill(FORMER_KEYS),
    ...Array<Check>(2).fill('shell'),
    REVERSE_PROXY,
    ...Array<Check>(3).fill('shell'),
  ],
  'docs/receipts.md': [RUN, RUN, 'shell', RECEIPTS, RECEIPTS],
  'docs/reliability.md': ['shell', 'shell'],
  'docs/start/protect-an-api.md': Array<Check>(12).fill(QUICKSTARTS),
  'docs/start/run-an-agent.md': Array<Check>(13).fill(QUICKSTARTS),
  'docs/start/verify-as-an-auditor.md': Array<Check>(9).fill(QUICKSTARTS),
  'docs/webhooks.md': [RUN, RUN],
  'examples/README.md': ['shell', 'shell', 'shell', 'shell', EXAMPLES, 'shell', EXAMPLES],
  'gate/README.md': ['shell'],
}
