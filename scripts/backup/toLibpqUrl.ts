import { splitDatabaseUrl } from '../../server/config/splitDatabaseUrl.ts'

/** The host of a URL, after its scheme and user. */
const HOST = /^(\w+:\/\/(?:[^@/?#]*@)?)[^/?#]*/

/** The driver's values of `sslmode`, and of its older `ssl`, as libpq names them. */
const SSL_MODES: Record<string, string> = {
  'no-verify': 'require',
  true: 'require',
  1: 'require',
  0: 'disable',
}

/**
 * Converts the driver's URL of a database to one that libpq accepts, and separates the password, which is passed elsewhere.
 *
 * libpq rejects two things. `no-verify` is the driver's name for encryption without server authentication, which in libpq
 * is `require` without a root certificate. `uselibpqcompat` only tells the driver how to interpret `sslmode`.
 *
 * Source: pg-connection-string, README; PostgreSQL 15 §34.1.2 "Parameter Key Words".
 */
export function toLibpqUrl(databaseUrl: string): { url: string; password: string } {
  const hosts = splitDatabaseUrl(databaseUrl)
  const url = new URL(hosts[0].url)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const { searchParams } = url
  const [mode, older] = [searchParams.get('sslmode'), searchParams.get('ssl')]
  const given = mode ?? older
  if (given !== null) searchParams.set('sslmode', SSL_MODES[given] ?? given)
  if (given === 'no-verify') searchParams.delete('sslrootcert')
  for (const name of ['ssl', 'uselibpqcompat']) searchParams.delete(name)
  // Otherwise libpq is content with a standby.
  if (hosts.length > 1) searchParams.set('target_session_attrs', 'read-write')
  // libpq does not decode a plus sign as a space.
  url.search = url.search.replaceAll('+', '%20')
  const names = hosts.map(({ name }) => name).join(',')
  return { url: url.href.replace(HOST, (_, start: string) => start + names), password }
}
