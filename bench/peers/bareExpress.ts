import express from 'express'
import { buildPeerResponse } from './buildPeerResponse.ts'
import { servePeer } from './servePeer.ts'

/**
 * Unmodified Express, which parses the body and responds without deciding or storing anything: the limit of our service.
 * Source: docs/performance.md.
 */
await servePeer(() => {
  const app = express()
  app.use(express.json())
  app.post('/api/agents/verify-access', (_req, res) => {
    res.json(buildPeerResponse())
  })
  return app
})
