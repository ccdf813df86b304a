import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { type SignatureParams, signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'

export type BotSigner = {
  publicJwk: JsonWebKey
  keyid: string
  /** Signs a request; returns the headers as a counterparty reports them in `callerMetadata`. */
  signed(request: SignOptions): Promise<SignedFacts>
}

export type SignedFacts = {
  signature: string
  signatureInput: string
  signatureAgent: string
  method: string
  targetUri: string
}

type SignOptions = {
  url: string
  /** Value of the member, such as `"https://chatgpt.com"`, quotes included. */
  agent: string
  /** Without a label, the bare string of earlier drafts is sent. */
  label?: string
  created: number
  expires?: number
  components?: SignatureParams['components']
  nonce?: string
}

/** Creates the agent's side of Web Bot Auth with an independent library. */
export async function createBotSigner(): Promise<BotSigner> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signer = await signerFromJWK(privateKey.export({ format: 'jwk' }))
  return {
    publicJwk: publicKey.export({ format: 'jwk' }),
    keyid: signer.keyid,
    async signed({ url, agent, label, created, expires = created + 300_000, components, nonce }) {
      const covered = label
        ? { name: 'signature-agent', parameters: new Map([['key', label]]) }
        : 'signature-agent'
      // The library covers the whole header; a dictionary member is covered by its own value (RFC 9421 §2.1.2).
      const message = { method: 'GET', url, headers: { 'signature-agent': agent } }
      const headers = await signatureHeaders(message, signer, {
        created: new Date(created),
        expires: new Date(expires),
        components: components ?? ['@authority', covered],
        ...(label ? { key: label } : {}),
        ...(nonce ? { nonce } : {}),
      })
      return {
        signature: headers.Signature,
        signatureInput: headers['Signature-Input'],
        signatureAgent: label ? `${label}=${agent}` : agent,
        method: 'GET',
        targetUri: url,
      }
    },
  }
}
