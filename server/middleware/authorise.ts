import type { ErrorCode } from '../errors.ts'
import type { Principal } from '../services/principal.ts'

/**
 * `elevated` requires a fresh passkey assertion (`X-Svc-Elevation`), `operator` the operator role, `elevatedOperator` both.
 */
type Verdict = 'allow' | 'elevated' | 'operator' | 'elevatedOperator' | ErrorCode

/**
 * The only table that decides authorisation before a handler runs.
 *
 * Handlers narrow access further only by ownership (`actsFor`). `anyone` ignores credentials; `optional` returns more for a
 * valid credential and refuses an invalid one; `optionalSession` does so for sessions only. An operation that requires a
 * fresh passkey for some bodies calls `requireElevation` itself. An agent’s own token is accepted in one place only, to
 * report that it may not read there.
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
  elevatedSessionOrSignature: {
    nobody: 'UNAUTHENTICATED',
    apiKey: 'SESSION_REQUIRED',
    session: 'elevated',
    signature: 'allow',
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
