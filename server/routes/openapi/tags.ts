type Tag = { name: string; description: string }

/** The groups of the document, each with the paths that belong to it; the first that matches counts. */
const GROUPS: readonly (Tag & { paths: RegExp })[] = [
  {
    name: 'Verification',
    description: 'Decides whether an agent may do something at an endpoint, by our own interface or AuthZEN.',
    paths: /^\/(api\/agents\/verify-access|access\/|\.well-known\/authzen)/,
  },
  {
    name: 'Registration requests',
    description: 'Registrations of agents that wait for an owner.',
    paths: /^\/api\/(agents\/request-registration|registration-requests)/,
  },
  {
    name: 'Operators',
    description: 'What operators of the service decide.',
    paths: /^\/api\/admin\//,
  },
  {
    name: 'Agents',
    description: 'Agents, their credentials, cards and registration files.',
    paths: /^\/(api\/agents|\.well-known\/agent|registration-files)/,
  },
  {
    name: 'Endpoints',
    description: 'Counterparty endpoints, their allowlists and webhooks.',
    paths: /^\/api\/endpoints/,
  },
  {
    name: 'Approvals',
    description: 'Risky requests that an owner approves with a passkey.',
    paths: /^\/api\/step-up-approvals/,
  },
  {
    name: 'Activity',
    description: 'Events and alerts of an account.',
    paths: /^\/api\/(activity|alerts)/,
  },
  {
    name: 'Audit',
    description: 'The audit log, its proofs, and the chain that anchors it.',
    paths: /^\/api\/(audit|chain)/,
  },
  {
    name: 'Accounts',
    description: 'Sign-in, sessions, passkeys, wallets, organisations, API keys and identity verification.',
    paths: /^\/api\/(auth|me|kyd|organizations|invitations|api-keys)/,
  },
  {
    name: 'Service',
    description: 'Health, metrics, keys, documents and the Model Context Protocol.',
    paths: /^\//,
  },
]

/** The tags of the document, in the order in which they are shown. */
export const TAGS: readonly Tag[] = GROUPS.map(({ name, description }) => ({ name, description }))

/** The name of the tag of an operation. */
export function tagOf(path: string): string {
  return GROUPS.find(({ paths }) => paths.test(path))?.name ?? 'Service'
}
