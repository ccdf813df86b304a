import { readDer } from './readDer.ts'
import { type CertificateName, readGeneralName } from './readNames.ts'

/** The names that an authority may issue certificates for. */
export type NameConstraints = { permitted: CertificateName[]; excluded: CertificateName[] }

/** Reads the content of the extension. @throws Error when it is malformed. Source: RFC 5280 §4.2.1.10. */
export function readNameConstraints(der: Uint8Array): NameConstraints {
  const [constraints] = readDer(der)
  const lists = constraints === undefined ? [] : readDer(constraints.content)
  const namesOf = (wanted: number) =>
    lists
      .filter(({ tag }) => tag === wanted)
      .flatMap(({ content }) => readDer(content))
      .flatMap((subtree) => readDer(subtree.content).slice(0, 1).map(readGeneralName))
  return { permitted: namesOf(0xa0), excluded: namesOf(0xa1) }
}

/**
 * Whether an authority may issue a certificate with these names: each is within a permitted subtree of its form, if there
 * are any of that form, and within no excluded one.
 *
 * Constraints on forms that are not compared refuse every certificate. Source: RFC 5280 §4.2.1.10, §6.1.4 (g).
 */
export function allowsNames(
  { permitted, excluded }: NameConstraints,
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
  if (name.form === 'ip' && base.form === 'ip') return isInSubnet(name.bytes, base.bytes)
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

/** @param subnet An address and a mask of the same length. */
function isInSubnet(address: Uint8Array, subnet: Uint8Array): boolean {
  if (subnet.length !== address.length * 2) return false
  return address.every((byte, nth) => {
    const mask = subnet[address.length + nth] ?? 0
    return (byte & mask) === ((subnet[nth] ?? 0) & mask)
  })
}
