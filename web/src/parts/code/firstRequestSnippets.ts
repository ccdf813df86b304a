import type { Snippet } from './SnippetTabs.tsx'

type Input = {
  /** Of the service, without a slash at the end. */
  origin: string
  svcId: string
  purpose: string
  /** The file with the agent's private key, a JWK. */
  keyFile: string
  crv: 'Ed25519' | 'P-256'
}

/**
 * Builds programs that send the first signed request of an agent, to the sample counterparty, ready to run beside the key
 * file. A test runs each of them.
 *
 * Source: docs/agents.md (HTTP message signatures).
 */
export function buildFirstRequests(input: Input): Snippet[] {
  return [
    {
      ...{ id: 'typescript', tab: 'TypeScript', name: 'agent.ts', test: null },
      code: buildTypeScript(input),
    },
    { ...{ id: 'python', tab: 'Python', name: 'agent.py', test: null }, code: buildPython(input) },
    {
      ...{ id: 'javascript', tab: 'JavaScript', name: 'agent.mjs', test: null },
      code: buildJavaScript(input),
    },
  ]
}

function buildTypeScript({ origin, svcId, purpose, keyFile }: Input): string {
  return `import { createAgentClient } from '@svc/client'
import { openAgentKey } from '@svc/client/node'

const key = await openAgentKey('${keyFile}') // first: chmod 600 ${keyFile}
const agent = createAgentClient({
  apiBaseUrl: '${origin}/api',
  svcId: '${svcId}',
  key, // signs every request
  purpose: '${purpose}',
})
const response = await agent.fetch('${origin}/api/sample-counterparty')
console.log(response.status, await response.text())`
}

function buildJavaScript({ origin, svcId, purpose, keyFile, crv }: Input): string {
  const isEd25519 = crv === 'Ed25519'
  const algorithm = isEd25519
    ? `{ name: 'Ed25519' }`
    : `{ name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }`
  const members = isEd25519 ? 'crv, kty, x' : 'crv, kty, x, y'
  return `import { readFileSync } from 'node:fs'

const AGENT = '${svcId}'
const url = new URL('${origin}/api/sample-counterparty')

const { kty, crv, x, ${isEd25519 ? '' : 'y, '}d } = JSON.parse(readFileSync('${keyFile}', 'utf8'))
const bytes = (text) => new TextEncoder().encode(text)
const base64 = (data) => btoa(String.fromCharCode(...new Uint8Array(data)))
const base64url = (data) => base64(data).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const algorithm = ${algorithm}
const key = await crypto.subtle.importKey('jwk', { ${members}, d }, algorithm, false, ['sign'])
const thumbprint = bytes(JSON.stringify({ ${members} }))
const kid = base64url(await crypto.subtle.digest('SHA-256', thumbprint))

// What the signature covers (RFC 9421).
const values = {
  '@authority': url.host,
  '@method': 'GET',
  '@path': url.pathname,
  'x-svc-id': AGENT,
  'x-svc-purpose': '${purpose}',
}
const now = Math.floor(Date.now() / 1000)
const nonce = base64url(crypto.getRandomValues(new Uint8Array(16)))
const names = Object.keys(values).map((name) => \`"\${name}"\`)
const params = \`(\${names.join(' ')});created=\${now};expires=\${now + 60};nonce="\${nonce}";keyid="\${kid}";tag="web-bot-auth"\`
const lines = [...Object.entries(values), ['@signature-params', params]]
const base = lines.map(([name, value]) => \`"\${name}": \${value}\`).join('\\n')
const signature = base64(await crypto.subtle.sign(algorithm, key, bytes(base)))

const response = await fetch(url, {
  headers: {
    'X-Svc-Id': values['x-svc-id'],
    'X-Svc-Purpose': values['x-svc-purpose'],
    'Signature-Input': \`svc=\${params}\`,
    Signature: \`svc=:\${signature}:\`,
  },
})
console.log(response.status, await response.text())`
}

function buildPython({ origin, svcId, purpose, keyFile, crv }: Input): string {
  const { imports, load, members, sign } = PYTHON[crv]
  return `import base64, hashlib, json, os, time, urllib.request
from urllib.parse import urlsplit

${imports}

AGENT = "${svcId}"
URL = "${origin}/api/sample-counterparty"

with open("${keyFile}") as file:
    jwk = json.load(file)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=")


${load}
thumbprint = json.dumps({name: jwk[name] for name in ${members}}, separators=(",", ":"))
kid = base64url(hashlib.sha256(thumbprint.encode()).digest())

# What the signature covers (RFC 9421).
values = {
    "@authority": urlsplit(URL).netloc,
    "@method": "GET",
    "@path": urlsplit(URL).path,
    "x-svc-id": AGENT,
    "x-svc-purpose": "${purpose}",
}
now = int(time.time())
params = "(" + " ".join(f'"{name}"' for name in values) + ")"
params += f';created={now};expires={now + 60};nonce="{base64url(os.urandom(16))}"'
params += f';keyid="{kid}";tag="web-bot-auth"'
lines = [f'"{name}": {value}' for name, value in values.items()] + [f'"@signature-params": {params}']
${sign}

request = urllib.request.Request(URL, headers={
    "X-Svc-Id": values["x-svc-id"],
    "X-Svc-Purpose": values["x-svc-purpose"],
    "Signature-Input": "svc=" + params,
    "Signature": "svc=:" + base64.b64encode(signature).decode() + ":",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
}

/** What differs between the two kinds of keys; P-256 signatures are r and s, of 32 bytes each. */
const PYTHON = {
  Ed25519: {
    imports:
      'from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # pip install cryptography',
    load: 'key = Ed25519PrivateKey.from_private_bytes(decode(jwk["d"]))',
    members: '("crv", "kty", "x")',
    sign: 'signature = key.sign("\\n".join(lines).encode())',
  },
  'P-256': {
    imports: `from cryptography.hazmat.primitives import hashes  # pip install cryptography
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature`,
    load: 'key = ec.derive_private_key(int.from_bytes(decode(jwk["d"]), "big"), ec.SECP256R1())',
    members: '("crv", "kty", "x", "y")',
    sign: `der = key.sign("\\n".join(lines).encode(), ec.ECDSA(hashes.SHA256()))
signature = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(der))`,
  },
} as const
