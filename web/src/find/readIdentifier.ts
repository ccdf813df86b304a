import {
  isAgentIdentifier,
  isDeveloperIdentifier,
  isEndpointIdentifier,
  isOrganizationIdentifier,
} from '@svc/core/ids/identifiers.ts'

/** What a pasted identifier may be of; several kinds do not say what they are of. */
export type Identifier =
  | { of: 'agent' | 'endpoint' | 'organisation' | 'developer'; id: string }
  /** Of a record, a request, a session, a key, or others. In lower case, as the service writes them. */
  | { of: 'uuid'; id: string }
  /** Of a wallet, the holder of a token, or a contract. In lower case. */
  | { of: 'address'; id: string }
  /** Of a transaction, or the root of a batch. In lower case. */
  | { of: 'hash'; id: string }
  /** Thumbprint of a public key. Source: RFC 7638. */
  | { of: 'thumbprint'; id: string }
  /** The place of a record in the audit log, in digits. */
  | { of: 'index'; id: string }

type Kind = Identifier['of']

const SHAPES: readonly (readonly [Kind, (text: string) => boolean])[] = [
  ['agent', isAgentIdentifier],
  ['endpoint', isEndpointIdentifier],
  ['organisation', isOrganizationIdentifier],
  ['developer', isDeveloperIdentifier],
  ['uuid', (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)],
  ['address', (text) => /^0x[0-9a-f]{40}$/i.test(text)],
  ['hash', (text) => /^0x[0-9a-f]{64}$/i.test(text)],
  ['thumbprint', (text) => /^[\w-]{43}$/.test(text)],
  ['index', (text) => /^#?\d{1,15}$/.test(text)],
]

const IGNORING_CASE: ReadonlySet<Kind> = new Set(['uuid', 'address', 'hash'])

/** Recognises an identifier in what was typed or pasted; null for any other text. */
export function readIdentifier(typed: string): Identifier | null {
  const text = typed.trim()
  const of = SHAPES.find(([, fits]) => fits(text))?.[0]
  if (of === undefined) return null
  if (of === 'index') return { of, id: text.replace('#', '') }
  return { of, id: IGNORING_CASE.has(of) ? text.toLowerCase() : text }
}
