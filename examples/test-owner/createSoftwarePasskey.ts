import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'

/** What has to be stored to use the passkey again. */
export type StoredPasskey = { id: string; privateKey: string }

/** Flags of the authenticator data: user present, user verified, with a credential. Source: WebAuthn 3 §6.1. */
const FLAGS = { assertion: 0x05, registration: 0x45 }
/** An authenticator without a signature counter always sends 0. Source: WebAuthn 3 §6.1.1. */
const COUNTER = Buffer.alloc(4)
const AAGUID = Buffer.alloc(16)

/** Creates what `createSoftwarePasskey` needs: a P-256 key and an identifier. */
export function generatePasskey(): StoredPasskey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    id: randomBytes(16).toString('base64url'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/**
 * A passkey in software, for tests: it signs what a browser and its authenticator would sign, and asks nobody.
 *
 * @param page The dashboard's origin, and the host name that the passkey belongs to.
 */
export function createSoftwarePasskey(stored: StoredPasskey, page: { origin: string; rpId: string }) {
  const { id } = stored
  const credentialId = Buffer.from(id, 'base64url')
  const privateKey = createPrivateKey(stored.privateKey)
  const answer = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  const buildHead = (flags: number) =>
    Buffer.concat([createHash('sha256').update(page.rpId).digest(), Buffer.from([flags]), COUNTER])
  const buildClientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: page.origin, crossOrigin: false }))

  return {
    /** Answers the options of a registration, as `navigator.credentials.create` would. */
    register({ challenge }: { challenge: string }) {
      const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
      // CBOR of the COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}. Source: RFC 9053 §7.1.1.
      const coseKey = [fromHex('a5010203262001215820'), fromBase64Url(x), fromHex('225820'), fromBase64Url(y)]
      const idLength = Buffer.from([0, credentialId.length])
      const authData = Buffer.concat([
        ...[buildHead(FLAGS.registration), AAGUID, idLength, credentialId],
        ...coseKey,
      ])
      // CBOR of {fmt: "none", attStmt: {}, authData}; the last byte announces one byte of length. Source: WebAuthn 3 §8.7.
      const beforeData = fromHex('a363666d74646e6f6e656761747453746d74a068617574684461746158')
      const attestationObject = Buffer.concat([beforeData, Buffer.from([authData.length]), authData])
      return {
        ...answer,
        response: {
          clientDataJSON: buildClientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    /** Answers the options of an assertion, as `navigator.credentials.get` would. */
    assert({ challenge }: { challenge: string }) {
      const authData = buildHead(FLAGS.assertion)
      const client = buildClientData('webauthn.get', challenge)
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()])
      return {
        ...answer,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}

function fromHex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

function fromBase64Url(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
