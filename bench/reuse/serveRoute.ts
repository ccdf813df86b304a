import { generateKeyPairSync, sign, verify } from 'node:crypto'
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
  if (form === 'checked') app.use(createBareCheck())
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

/** Verifies the same signature for each request, over as many bytes as a request signs, as Node does it fastest. */
function createBareCheck(): express.RequestHandler {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const text = Buffer.from('x'.repeat(400))
  const signature = sign(null, text, privateKey)
  return (_req, res, next) => {
    if (verify(null, text, publicKey, signature)) next()
    else res.sendStatus(403)
  }
}
