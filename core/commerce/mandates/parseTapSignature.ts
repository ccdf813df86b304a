import { decodeBase64 } from '../../bytes.ts'

/** A signature as agents of the Trusted Agent Protocol write it. Times are Unix seconds. */
export type TapSignature = {
  components: readonly string[]
  /** Value of `@signature-params`, as it was received. */
  params: string
  signature: Uint8Array
  created: number
  expires: number
  keyid: string
  alg: string | undefined
  tag: string
}

const INPUT = /^([A-Za-z*][\w.*-]*)=(\(([^()]*)\)((?: *; *[A-Za-z]+=(?:\d{1,15}|"[^"\\]*"))+))$/
const COMPONENT = /^"([a-z0-9@_.-]+)"$/

/**
 * Parses a signature of the Trusted Agent Protocol; null for anything else.
 *
 * The sample code of the protocol writes spaces between parameters and `keyId` in place of `keyid`, which is no structured
 * field. What was received is what its agents sign, so it is taken as it is. Source: visa/trusted-agent-protocol
 * `tap-agent/agent_app.py`; RFC 9421 §2.3.
 */
export function parseTapSignature(signature: string, signatureInput: string): TapSignature | null {
  const [, label, params = '', covered = '', written = ''] = INPUT.exec(signatureInput.trim()) ?? []
  if (label === undefined || !signature.startsWith(`${label}=:`) || !signature.endsWith(':')) return null
  const bytes = decodeBase64(signature.slice(label.length + 2, -1))
  const components = covered.split(' ').map((one) => COMPONENT.exec(one)?.[1] ?? '')
  if (bytes === null || components.includes('') || new Set(components).size < components.length) return null
  const parameters = readParameters(written)
  if (parameters === null) return null
  const { created, expires, keyid, alg, tag } = parameters
  if (created === undefined || expires === undefined || keyid === undefined || tag === undefined) return null
  if (!/^\d+$/.test(created) || !/^\d+$/.test(expires)) return null
  const times = { created: Number(created), expires: Number(expires) }
  return { components, params, signature: bytes, ...times, keyid, alg, tag }
}

/** By lower-case name; null if one occurs twice. */
function readParameters(written: string): Record<string, string | undefined> | null {
  const found = new Map<string, string>()
  for (const [, name = '', number, text = ''] of written.matchAll(/; *([A-Za-z]+)=(?:(\d+)|"([^"]*)")/g)) {
    if (found.has(name.toLowerCase())) return null
    found.set(name.toLowerCase(), number ?? text)
  }
  return Object.fromEntries(found)
}
