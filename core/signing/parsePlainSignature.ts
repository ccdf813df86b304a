// Own code beside structured-headers, which only the service has: nearly every request has its one signature in this
// spelling, and parsing and writing it again by the library takes ten times as long (measured).
import { decodeBase64 } from '../bytes.ts'

/**
 * A signature whose parameters are in their canonical spelling, so that the received text is what was signed. Times are Unix
 * seconds.
 */
export type PlainSignature = {
  /** Names of the covered components, which have no parameters. */
  components: readonly string[]
  /** Value of `@signature-params`. */
  params: string
  signature: Uint8Array<ArrayBuffer>
  created: number
  expires: number
  keyid: string
  alg: string | undefined
  nonce: string | undefined
  tag: string | undefined
}

const INPUT =
  /^([a-z][a-z0-9_.-]*)=(\(("[a-z0-9@_.-]+"(?: "[a-z0-9@_.-]+")*)\)((?:;[a-z]+=(?:0|[1-9]\d{0,14}|"[ !#-[\]-~]*"))+))$/

/** Reads the names that the only signature of a request covers, if it is in the usual spelling; undefined for any other. */
export function readPlainComponents(signatureInput: string): string[] | undefined {
  const covered = INPUT.exec(signatureInput)?.[3]
  return covered === undefined ? undefined : splitNames(covered)
}

/**
 * Parses the only signature of a request if it is in the usual spelling; undefined for any other, which a parser of
 * structured fields reads.
 *
 * Source: RFC 9421 §4; RFC 9651 §4.1.
 */
export function parsePlainSignature(signature: string, signatureInput: string): PlainSignature | undefined {
  const [, label, params = '', covered = '', written = ''] = INPUT.exec(signatureInput) ?? []
  if (label === undefined || !signature.startsWith(`${label}=:`) || !signature.endsWith(':')) return undefined
  const bytes = decodeBase64(signature.slice(label.length + 2, -1))
  const components = splitNames(covered)
  const parameters = readParameters(written)
  if (bytes === null || parameters === undefined || new Set(components).size < components.length)
    return undefined
  const { created, expires, keyid, alg, nonce, tag } = parameters
  if (typeof created !== 'number' || typeof expires !== 'number' || typeof keyid !== 'string')
    return undefined
  if (typeof alg === 'number' || typeof nonce === 'number' || typeof tag === 'number') return undefined
  return { components, params, signature: bytes, created, expires, keyid, alg, nonce, tag }
}

/** @param covered As `INPUT` matches it: quoted names with a space between. */
function splitNames(covered: string): string[] {
  return covered.slice(1, -1).split('" "')
}

type Parameters = Record<
  'created' | 'expires' | 'keyid' | 'alg' | 'nonce' | 'tag',
  string | number | undefined
>

/**
 * Undefined if a parameter occurs twice: only the last one would count, and be signed.
 *
 * @param written As `INPUT` matches it: then each parameter ends where the next one starts.
 */
function readParameters(written: string): Parameters | undefined {
  const parameters: Parameters & Record<string, string | number | undefined> = {
    created: undefined,
    expires: undefined,
    keyid: undefined,
    alg: undefined,
    nonce: undefined,
    tag: undefined,
  }
  for (let at = 0; at < written.length; ) {
    const equals = written.indexOf('=', at)
    const name = written.slice(at + 1, equals)
    const isText = written[equals + 1] === '"'
    const end = isText ? written.indexOf('"', equals + 2) + 1 : endOfNumber(written, equals)
    if (Object.hasOwn(parameters, name) && parameters[name] !== undefined) return undefined
    parameters[name] = isText ? written.slice(equals + 2, end - 1) : Number(written.slice(equals + 1, end))
    at = end
  }
  return parameters
}

function endOfNumber(written: string, from: number): number {
  const end = written.indexOf(';', from)
  return end === -1 ? written.length : end
}
