import express from 'express'
import { servePeer } from './servePeer.ts'

const hash = `0x${'5a'.repeat(32)}`

/** A constant response with the members and size of our proof in a log of a million records. */
const PROOF = {
  success: true,
  entry: 'eyJ'.repeat(260),
  leafHash: hash,
  index: 500_000,
  treeSize: 1_000_000,
  inclusionProof: Array.from({ length: 20 }, () => hash),
  root: hash,
  batch: 1,
  logId: hash,
  chainId: 31_337,
  contract: `0x${'5a'.repeat(20)}`,
  transactionHash: hash,
  blockNumber: 10,
}

/** Unmodified Express with a response as long as a proof: the limit of proofs over HTTP. */
await servePeer(() => {
  const app = express()
  app.get('/api/audit/records/:id/proof', (_req, res) => {
    res.json(PROOF)
  })
  return app
})
