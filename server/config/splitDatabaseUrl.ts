export type DatabaseHost = {
  /** Host and port as in the URL, for the operator. */
  name: string
  /** The same URL with this host only. */
  url: string
}

/** Scheme and user, hosts, and the rest of a URL. A password may contain `@`, so the last one separates the hosts. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s

const EXPECTED = 'expected postgres://user:password@host:port/database'
/** What follows an empty host: a database, or a host as a parameter. */
const NAMES_SOMETHING = /^\/[^?#]|[?&]host=./

/** The values of `target_session_attrs` that ask for what the service needs; it always needs to write. */
const WRITABLE = ['read-write', 'primary']

/**
 * Splits the URL of a PostgreSQL database with one or several hosts, `postgres://user@a,b:5433/svc`, into one URL a host.
 *
 * The form is that of libpq, which the driver does not know. A host without a port has the default port.
 *
 * @throws Error that says what was expected; it contains no part of the URL, which may contain a password.
 * Source: PostgreSQL 15 §34.1.1.3 "Specifying Multiple Hosts".
 */
export function splitDatabaseUrl(url: string): readonly [DatabaseHost, ...DatabaseHost[]] {
  const [, start, hosts = '', rest] = PARTS.exec(url) ?? []
  if (start === undefined) throw new Error('expected a URL that starts with postgres://')
  if (hosts === '' && !NAMES_SOMETHING.test(rest ?? '')) throw new Error(EXPECTED)
  const [first, ...others] = hosts.split(',')
  const toHost = (name: string): DatabaseHost => {
    if (name === '' && others.length > 0) throw new Error('expected a name between the commas of the hosts')
    return { name, url: `${start}${name}${rest}` }
  }
  const found = [toHost(first ?? ''), ...others.map(toHost)] as const
  for (const { url: single } of found) {
    if (!URL.canParse(single)) throw new Error(EXPECTED)
    const wanted = new URL(single).searchParams.get('target_session_attrs')
    if (wanted !== null && !WRITABLE.includes(wanted))
      throw new Error(
        `expected target_session_attrs to be ${WRITABLE.join(' or ')}, because the service writes`,
      )
  }
  return found
}
