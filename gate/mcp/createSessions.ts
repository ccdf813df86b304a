import { type CallSession, createCallSession } from './callSession.ts'

const SESSIONS_MAX = 10_000

/**
 * Creates the memory of the sessions that the server behind the gate has opened, by the identifier it gave them.
 *
 * Identifiers of clients open nothing here. The session that was used least recently goes first when there are too many; its
 * clients then send the attempt of an approved call themselves.
 */
export function createSessions() {
  const sessions = new Map<string, CallSession>()

  return {
    open(id: string, canOpenUrls: boolean): void {
      sessions.set(id, createCallSession(canOpenUrls))
      const [oldest] = sessions.keys()
      if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest)
    },

    find(id: string): CallSession | undefined {
      const session = sessions.get(id)
      if (session === undefined) return undefined
      sessions.delete(id)
      sessions.set(id, session)
      return session
    },

    close: (id: string): boolean => sessions.delete(id),
  }
}
