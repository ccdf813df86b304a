import type { ErrorCode } from '../errors.ts'
import type { Principal } from '../services/principal.ts'

/** `elevated` lets in with a fresh passkey only (`X-Svc-Elevation`), `operator` who has that role only. */
type Verdict = 'allow' | 'elevated' | 'operator' | 'elevatedOperator' | ErrorCode

/**
 * Who may call what: the one table in which authorisation is decided before a handler runs.
 *
 * A handler narrows further only by ownership (`actsFor`). `anyone` never looks at a credential, `optional` shows
 * more to one that is offered and still refuses a bad one;
 * `optionalSession` does so with sessions only. An operation that wants a fresh passkey for some bodies calls
 * `requireElevation` itself. An agent’s own token is a credential in one place, where it is told that it may not look.
 * Source: `Spec: Authentication`.
 */
export const ACCESS = {
  anyone: { nobody: 'allow', apiKey: 'allow', session: 'allow', signature: 'allow', agent: 'allow' },
  optional: {
    nobody: 'allow',
    apiKey: 'allow',
    session: 'allow',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  optionalOrAgent: {
    nobody: 'allow',
    apiKey: 'allow',
    session: 'allow',
    signature: 'UNAUTHENTICATED',
    agent: 'allow',
  },
  signature: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'UNAUTHENTICATED',
    session: 'UNAUTHENTICATED',
    signature: 'allow',
    agent: 'UNAUTHENTICATED',
  },
  apiKey: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'allow',
    session: 'UNAUTHENTICATED',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  session: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'SESSION_REQUIRED',
    session: 'allow',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  optionalSession: {
    nobody: 'allow',
    apiKey: 'SESSION_REQUIRED',
    session: 'allow',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  elevatedSession: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'SESSION_REQUIRED',
    session: 'elevated',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  operator: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'SESSION_REQUIRED',
    session: 'operator',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  elevatedOperator: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'SESSION_REQUIRED',
    session: 'elevatedOperator',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  sessionOrApiKey: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'allow',
    session: 'allow',
    signature: 'UNAUTHENTICATED',
    agent: 'UNAUTHENTICATED',
  },
  signatureOrApiKey: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'allow',
    session: 'UNAUTHENTICATED',
    signature: 'allow',
    agent: 'UNAUTHENTICATED',
  },
} as const satisfies Record<string, Record<Principal['kind'], Verdict>>

export type Access = keyof typeof ACCESS
