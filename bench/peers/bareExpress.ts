import express from 'express'
import { peerAnswer } from './peerAnswer.ts'
import { servePeer } from './servePeer.ts'

/**
 * Express as it comes: parses the body, decides and keeps nothing, answers. Source: performance.md, "the limit we are
 * measured against".
 */
await servePeer(() => {
  const app = express()
  app.use(express.json())
  app.post('/api/agents/verify-access', (_req, res) => {
    res.json(peerAnswer())
  })
  return app
})
