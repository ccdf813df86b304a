/** What the driver takes for `sslmode`, and its older `ssl`, in the words of the programs. */
const SSL_MODES: Record<string, string> = {
  'no-verify': 'require',
  true: 'require',
  1: 'require',
  0: 'disable',
}

/**
 * The address of a database as the programs of PostgreSQL understand it, and its password, which goes another way.
 *
 * `no-verify` is the driver's name for an encrypted connection to whoever answers, which they call `require` when they
 * have no root certificate; `uselibpqcompat` says how the driver reads `sslmode`. They refuse both.
 *
 * Source: pg-connection-string, README; PostgreSQL 15 §34.1.2 "Parameter Key Words".
 */
export function toLibpqUrl(databaseUrl: string): { url: string; password: string } {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const { searchParams } = url
  const [mode, older] = [searchParams.get('sslmode'), searchParams.get('ssl')]
  const given = mode ?? older
  if (given !== null) searchParams.set('sslmode', SSL_MODES[given] ?? given)
  if (given === 'no-verify') searchParams.delete('sslrootcert')
  for (const name of ['ssl', 'uselibpqcompat']) searchParams.delete(name)
  // A plus sign is itself to them, and never a space.
  url.search = url.search.replaceAll('+', '%20')
  return { url: url.href, password }
}
