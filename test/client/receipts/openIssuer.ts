import { generateKeyPairSync } from 'node:crypto'
import { createIssuerKeys } from '@svc/client/receipts/createIssuerKeys.ts'
import { RECEIPT_TYPE } from '@svc/core/receipt/receipt.ts'
import { createReceiptSigner } from '../../../server/external/keys/receiptSigner.ts'
import { RECEIPT_CLAIMS } from '../../builders/receiptClaims.ts'

export const ISSUER = RECEIPT_CLAIMS.iss
export const AUDIENCE = RECEIPT_CLAIMS.aud
/** A minute after the receipts of these tests were issued, in epoch milliseconds. */
export const NOW = (RECEIPT_CLAIMS.iat + 60) * 1000

/** An issuer whose documents the test sets and whose clock it moves; `fetches` lists the URLs that were fetched. */
export function openIssuer() {
  const signer = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
  const world = {
    now: NOW,
    /** By URL; an error makes the fetch fail. */
    documents: new Map<string, string | Error>(),
    fetches: [] as string[],
  }
  const fetchIt = async (url: string | URL | Request) => {
    world.fetches.push(String(url))
    const found = world.documents.get(String(url))
    if (found instanceof Error) throw found
    return new Response(found ?? 'not here', { status: found === undefined ? 404 : 200 })
  }
  const publish = (...keys: object[]) => {
    world.documents.set(`${ISSUER}/.well-known/jwks.json`, JSON.stringify({ keys }))
  }
  publish(signer.publicKey)
  return {
    world,
    signer,
    publish,
    fetch: fetchIt as typeof fetch,
    keys: createIssuerKeys({ issuer: ISSUER, keys: [signer.publicKey] }),
    /** Signs a receipt; the test sets what it is about. */
    issue: (fields: object = {}, type = RECEIPT_TYPE) => signer.sign(type, { ...RECEIPT_CLAIMS, ...fields }),
  }
}
