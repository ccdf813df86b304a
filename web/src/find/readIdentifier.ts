import {
  isAgentIdentifier,
  isEndpointIdentifier,
  isOrganizationIdentifier,
} from '@svc/core/ids/identifiers.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What a pasted identifier may be of; a UUID may be that of a record, of a request for approval, or of others. */
export type Identifier =
  | { of: 'agent' | 'endpoint' | 'organisation'; id: string }
  /** In lower case, as the service writes them. */
  | { of: 'uuid'; id: string }

/** Recognises an identifier in what was typed or pasted; null for any other text. */
export function readIdentifier(typed: string): Identifier | null {
  const text = typed.trim()
  if (isAgentIdentifier(text)) return { of: 'agent', id: text }
  if (isEndpointIdentifier(text)) return { of: 'endpoint', id: text }
  if (isOrganizationIdentifier(text)) return { of: 'organisation', id: text }
  return UUID.test(text) ? { of: 'uuid', id: text.toLowerCase() } : null
}
