import { BlockList, isIP } from 'node:net'
import type { CertificateName } from './readNames.ts'

/** The names that an authority may issue certificates for. */
export type PermittedNames = { permitted: CertificateName[]; excluded: CertificateName[] }

/**
 * Whether an authority may issue a certificate with these names: each is within a permitted subtree of its form, if there
 * are any of that form, and within no excluded one.
 *
 * Constraints on forms that are not compared refuse every certificate. Source: RFC 5280 §4.2.1.10, §6.1.4 (g).
 */
export function allowsNames(
  { permitted, excluded }: PermittedNames,
  names: readonly CertificateName[],
): boolean {
  if ([...permitted, ...excluded].some(({ form }) => form === 'other')) return false
  return names.every((name) => {
    const ofForm = permitted.filter(({ form }) => form === name.form)
    const isPermitted = ofForm.length === 0 || ofForm.some((base) => isWithin(name, base) === true)
    // A name that cannot be compared is within every excluded subtree of its form.
    return isPermitted && !excluded.some((base) => isWithin(name, base) !== false)
  })
}

/** Whether a name is in a subtree; undefined when the two cannot be compared. */
function isWithin(name: CertificateName, base: CertificateName): boolean | undefined {
  if (name.form === 'ip' && base.form === 'ip') return isInNetwork(name.text, base.text)
  if (name.form === 'directory' && base.form === 'directory')
    return base.parts.every((part, nth) => name.parts[nth] === part)
  if (name.form === 'dns' && base.form === 'dns')
    return isHostIn(name.text, base.text) || isHostIn(name.text, `.${base.text}`)
  if (name.form === 'email' && base.form === 'email') return isAddressIn(name.text, base.text)
  if (name.form !== 'url' || base.form !== 'url') return false
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@[\]]+)/i.exec(name.text)?.[1]
  return host === undefined ? undefined : isHostIn(host, base.text)
}

/** A base that begins with a period covers every host below it, and no other base covers more than itself. */
function isHostIn(host: string, base: string): boolean {
  const [name, suffix] = [host.toLowerCase().replace(/\.$/, ''), base.toLowerCase()]
  if (suffix === '' || suffix === '.') return true
  return suffix.startsWith('.') ? name.endsWith(suffix) : name === suffix
}

function isAddressIn(address: string, base: string): boolean {
  const at = address.lastIndexOf('@')
  const baseAt = base.lastIndexOf('@')
  const isSameMailbox =
    baseAt < 0 || base.slice(0, baseAt).toLowerCase() === address.slice(0, at).toLowerCase()
  return isSameMailbox && isHostIn(address.slice(at + 1), base.slice(baseAt + 1))
}

/** Whether an address is in a network such as `10.0.0.0/8`; undefined when it is not an address. */
function isInNetwork(address: string, network: string): boolean | undefined {
  const [base = '', prefix] = network.split('/')
  const version = isIP(address)
  if (version === 0) return undefined
  if (isIP(base) !== version) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(base, Number(prefix), family)
  return list.check(address, family)
}
