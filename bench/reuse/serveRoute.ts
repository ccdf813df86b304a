import { gateway } from '@svc/client/express.ts'
import express from 'express'
import { RECEIPT_CLAIMS } from '../../test/builders/receiptClaims.ts'
import { servePeer } from '../peers/servePeer.ts'

/**
 * An Express route, in one of three forms: as it is, with a bare signature check of each request, or behind a gateway that
 * has a grant at hand.
 */
await servePeer(async (form) => {
  const app = express()
  if (form === 'checked') app.use(await createBareCheck())
  if (form.startsWith('http')) {
    app.use(
      gateway({
        ...{ apiBaseUrl: `${form}/api`, apiKey: 'k', counterpartyId: RECEIPT_CLAIMS.aud },
        ...{ routes: [], reuseGrantSeconds: 3_600, disableInitChecks: true },
      }),
    )
  }
  app.get('/orders/1', (_req, res) => void res.json({ order: 1 }))
  return app
})

/** Verifies the same signature for each request, over as many bytes as a request signs. */
async function createBareCheck(): Promise<express.RequestHandler> {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey('Ed25519', false, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const text = new TextEncoder().encode('x'.repeat(400))
  const signature = await crypto.subtle.sign('Ed25519', privateKey, text)
  return async (_req, res, next) => {
    if (await crypto.subtle.verify('Ed25519', publicKey, signature, text)) next()
    else res.sendStatus(403)
  }
}
