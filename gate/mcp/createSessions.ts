import { type CallSession, createCallSession } from './callSession.ts'

const SESSIONS_MAX = 10_000

/**
 * Creates the memory of the sessions that the server behind the gate has opened, by the identifier it gave them.
 *
 * An identifier that a client invents opens none. When there are too many, the least recently used session is dropped; its
 * client then has to send the attempt of an approved call itself.
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
