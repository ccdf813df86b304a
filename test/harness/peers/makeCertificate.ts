import { type KeyObject, randomBytes, sign } from 'node:crypto'

export type MadeCertificate = { der: Buffer; pem: string; name: string; privateKey: KeyObject }

type Options = {
  name: string
  keys: { publicKey: KeyObject; privateKey: KeyObject }
  /** The signer; self-signed by default. */
  issuer?: MadeCertificate
  isAuthority?: boolean
  pathLength?: number
  validFrom?: number
  validTo?: number
  /** OID of a critical extension to add, as the hexadecimal digits of its DER content. */
  criticalExtension?: string
  /** Bits of the key usage, from digitalSignature (0x80) down; null for a certificate without that extension. */
  keyUsage?: number | null
  /** Alternative names, such as `['dns', 'shop.io']`. */
  names?: readonly GeneralName[]
  permitted?: readonly GeneralName[]
  excluded?: readonly GeneralName[]
  /** Whether the name constraints are critical. */
  isStrict?: boolean
}

/** The form and the value of a name; of an `ip`, the hexadecimal digits of its bytes, and `dn` has a common name. */
export type GeneralName = readonly [form: keyof typeof NAME_TAGS, value: string]

const NAME_TAGS = { email: 0x81, dns: 0x82, dn: 0xa4, url: 0x86, ip: 0x87, id: 0x88 }

const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  const size =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: Buffer[]) => der(0x30, ...contents)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const TRUE = der(0x01, Buffer.from([0xff]))
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))

const nameOf = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
const time = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\..*$/g, '')}Z`))
const extension = (id: string, value: Buffer, isCritical = true) =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), der(0x04, value))
const generalName = ([form, value]: GeneralName) =>
  der(NAME_TAGS[form], form === 'dn' ? nameOf(value) : Buffer.from(value, form === 'ip' ? 'hex' : 'utf8'))

function nameExtensions({ names, permitted, excluded, isStrict = false }: Options): Buffer[] {
  const subtrees = (tag: number, bases: readonly GeneralName[] = []) =>
    bases.length === 0 ? [] : [der(tag, ...bases.map((base) => sequence(generalName(base))))]
  const lists = [...subtrees(0xa0, permitted), ...subtrees(0xa1, excluded)]
  return [
    ...(names === undefined ? [] : [extension('551d11', sequence(...names.map(generalName)), false)]),
    ...(lists.length === 0 ? [] : [extension('551d1e', sequence(...lists), isStrict)]),
  ]
}

/** Makes an X.509 certificate for a P-256 key, signed by an issuer or self-signed. Source: RFC 5280 §4.1. */
export function makeCertificate(options: Options): MadeCertificate {
  const { name, keys, issuer, isAuthority = false, pathLength, criticalExtension } = options
  // keyCertSign, or digitalSignature.
  const { keyUsage = isAuthority ? 0x04 : 0x80 } = options
  const { validFrom = Date.UTC(2020, 0), validTo = Date.UTC(2099, 0) } = options
  const constraints = isAuthority
    ? sequence(TRUE, ...(pathLength === undefined ? [] : [der(0x02, Buffer.from([pathLength]))]))
    : sequence()
  const extensions = [
    extension('551d13', constraints),
    ...(keyUsage === null ? [] : [extension('551d0f', der(0x03, Buffer.from([0, keyUsage])))]),
    ...nameExtensions(options),
    ...(criticalExtension === undefined ? [] : [extension(criticalExtension, sequence())]),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ECDSA_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(time(validFrom), time(validTo)),
    nameOf(name),
    keys.publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, issuer?.privateKey ?? keys.privateKey)
  const bytes = sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
  return { der: bytes, pem, name, privateKey: keys.privateKey }
}
