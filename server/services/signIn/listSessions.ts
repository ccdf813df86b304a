import type { OpenSession } from '@svc/core/contract/accounts.ts'
import type { Session, SessionStore } from '../../store/accounts/sessionStore.ts'
import { type ListPart, type ListRequest, listPage } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'

export type ListSessionsDeps = { sessions: Pick<SessionStore, 'liveOf'> }

/** The lifetime of a refresh token: a session without renewal for this long can no longer be used. */
const USABLE_MS = 30 * 24 * 60 * 60 * 1000

/** Lists the caller's usable sessions, most recently used first. */
export async function listSessions(
  deps: ListSessionsDeps,
  input: ListRequest & { principal: SessionPrincipal; now: number },
): Promise<ListPart<OpenSession>> {
  const { userId, sessionId } = input.principal
  const usedSince = input.now - USABLE_MS
  const part = await listPage(
    input,
    (page) => deps.sessions.liveOf(userId, { ...page, usedSince }),
    ({ lastUsedAt, id }) => ({ at: lastUsedAt, id }),
  )
  return { ...part, items: part.items.map((session) => toSessionView(session, sessionId)) }
}

function toSessionView(
  { id, amr, client, authenticatedAt, lastUsedAt }: Session,
  ownId: string,
): OpenSession {
  return {
    id,
    isCurrent: id === ownId,
    amr,
    ...client,
    signedInAt: new Date(authenticatedAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
  }
}
