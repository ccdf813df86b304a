import { splitDatabaseUrl } from '../config/splitDatabaseUrl.ts'
import { failureCodeOf } from './failureCodeOf.ts'

/**
 * Explains in one sentence why the PostgreSQL at DATABASE_URL cannot be used, and what to do, without its password; null for
 * any other failure, and without that setting.
 */
export function explainServerFailure(error: unknown, databaseUrl: string | undefined): string | null {
  if (databaseUrl === undefined) return null
  const code = failureCodeOf(error)
  const hosts = splitDatabaseUrl(databaseUrl)
  const { pathname, username } = new URL(hosts[0].url)
  const host = hosts.map(({ name }) => name).join(' or ')
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ECONNRESET':
      return `PostgreSQL at ${host} does not respond (${code}): start it, or correct DATABASE_URL`
    case '28P01':
    case '28000':
      return `PostgreSQL at ${host} does not admit the user ${username}: correct the name and password in DATABASE_URL`
    case '25006':
      return `PostgreSQL at ${host} is read-only, as a standby is: name the primary in DATABASE_URL, or promote this server`
    case '3D000':
      return `PostgreSQL at ${host} has no database ${pathname.slice(1)}: create it, or correct DATABASE_URL`
    default:
      return null
  }
}
