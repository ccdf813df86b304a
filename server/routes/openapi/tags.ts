type Tag = { name: string; description: string }

/** The groups of the document with the paths that belong to each; the first match wins. */
const GROUPS: readonly (Tag & { paths: RegExp })[] = [
  {
    name: 'Verification',
    description:
      'Decisions on whether an agent may perform an action at an endpoint, also in AuthZEN’s format.',
    paths: /^\/(api\/agents\/verify-access|access\/|\.well-known\/(authzen|status))/,
  },
  {
    name: 'Registration requests',
    description: 'Registrations of agents that await their owner’s approval.',
    paths: /^\/api\/(agents\/request-registration|registration-requests)/,
  },
  {
    name: 'Operators',
    description:
      'Identity verification, certifications and measures against abuse, for operators of the service.',
    paths: /^\/api\/admin\//,
  },
  {
    name: 'Agents',
    description: 'Agents, their credentials, cards and registration files.',
    paths: /^\/(api\/agents|api\/directory|\.well-known\/agent|registration-files)/,
  },
  {
    name: 'Endpoints',
    description: 'Counterparty endpoints, their allowlists and webhooks.',
    paths: /^\/api\/endpoints/,
  },
  {
    name: 'Approvals',
    description: 'Risky requests that an owner approves with a passkey.',
    paths: /^\/api\/(step-up-approvals|push-subscriptions)/,
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

/** The tags of the document, in display order. */
export const TAGS: readonly Tag[] = GROUPS.map(({ name, description }) => ({ name, description }))

/** The name of the tag of an operation. */
export function tagOf(path: string): string {
  return GROUPS.find(({ paths }) => paths.test(path))?.name ?? 'Service'
}
