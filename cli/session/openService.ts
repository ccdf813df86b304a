import { createSender, type Send } from '@svc/client/http/createSender.ts'
import { UsageError } from '../terminal/usageError.ts'
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts'
import { NotSignedIn } from './notSignedIn.ts'
import { sessionOf } from './sessionOf.ts'

/** Which credential a command needs: lists need a session, verifications an API key. */
export type CredentialKind = 'session' | 'apiKey' | 'either'

export type OpenedService = {
  apiBaseUrl: string
  apiKey: string | undefined
  send: Send
  /** A current bearer token, for requests that `send` cannot make. */
  bearer(): Promise<string>
}

type Host = { credentialsFile: string; now(): number }

/** An access token is renewed this long before it expires. */
const RENEW_MS = 30_000

/**
 * Opens the service that the caller is signed in to, with the credential that a command needs.
 *
 * A session's access token is renewed when it expires, and stored for the next command.
 *
 * @throws NotSignedIn if there is no such credential.
 */
export function openService(host: Host, kind: CredentialKind): OpenedService {
  const stored = readCredentials(host.credentialsFile)
  if (stored === null) throw new NotSignedIn('You are not signed in: run "svc login --url URL".')
  const { apiBaseUrl, apiKey } = stored
  const bearer = chooseBearer(host, stored, kind)
  return {
    apiBaseUrl,
    apiKey,
    bearer,
    send: async (call) =>
      createSender({ baseUrl: apiBaseUrl, headers: { authorization: `Bearer ${await bearer()}` } })(call),
  }
}

function chooseBearer(host: Host, stored: Credentials, kind: CredentialKind): () => Promise<string> {
  const { apiKey, session } = stored
  if (kind !== 'apiKey' && session !== undefined) return () => renewSession(host)
  if (kind !== 'session' && apiKey !== undefined) return async () => apiKey
  throw new NotSignedIn(
    kind === 'apiKey'
      ? 'This command needs an API key: run "svc login --key".'
      : 'This command needs a session: run "svc login --email ADDRESS".',
  )
}

async function renewSession({ credentialsFile, now }: Host): Promise<string> {
  const stored = readCredentials(credentialsFile)
  if (stored?.session === undefined) throw new UsageError('The session was removed meanwhile.')
  const { apiBaseUrl, session } = stored
  if (session.expiresAt - RENEW_MS > now()) return session.accessToken
  const { refreshToken, email } = session
  const answer = await createSender({ baseUrl: apiBaseUrl })<unknown>({
    method: 'POST',
    path: '/auth/refresh',
    body: JSON.stringify({ refreshToken }),
    retry: 'never',
  })
  const renewed = sessionOf(answer, { email, now: now() })
  writeCredentials(credentialsFile, { ...stored, session: renewed })
  return renewed.accessToken
}
