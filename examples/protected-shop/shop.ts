import type { Verified } from '@svc/client'
import { captureBody, gateway } from '@svc/client/express'
import express, { type NextFunction, type Request, type Response } from 'express'
import { readSetting } from '../readSetting.ts'

/** Prices in euro. The shop sets the price of an order, never the caller. */
const CATALOGUE = [
  { sku: 'cable', name: 'USB cable', price: 12 },
  { sku: 'monitor', name: 'Monitor', price: 240 },
  { sku: 'workstation', name: 'Workstation', price: 4900 },
]

const port = Number(readSetting('PORT', '4000'))
const app = express()

// Comes before the gateway, because the decision depends on the order, and stores the bytes that agents sign.
app.use(express.json({ limit: '10kb', verify: captureBody }))

// From here on every request is verified before a handler sees it. A caller that presents no identity, or may not do this,
// gets 403; a request that the agent's owner has to approve gets 202. If the service is unreachable, callers get 503, never
// access.
app.use(
  gateway<Request>({
    apiBaseUrl: readSetting('SVC_API_BASE_URL', 'http://localhost:3000/api'),
    apiKey: readSetting('SVC_API_KEY'),
    counterpartyId: readSetting('SVC_SHOP_ID'),
    describeRequest: (req) =>
      req.method === 'POST' ? { transactionValue: findItem(req)?.price, currency: 'EUR' } : {},
  }),
)

app.get('/catalogue', (_req, res) => {
  res.json({ currency: 'EUR', items: CATALOGUE })
})

// The gateway has put `agent`, `accessLevel`, `recommendation` and more on the request.
app.post('/orders', (req: Request & Partial<Verified>, res) => {
  const item = findItem(req)
  if (!item) return void res.status(422).json({ message: 'No such item; send {"sku": "…"}.' })
  console.log(`sold ${item.sku} for ${item.price} EUR to ${req.agent?.name}`)
  res.status(201).json({ ordered: item.sku, total: item.price, currency: 'EUR' })
})

// Express's default response to malformed JSON would contain a stack trace.
app.use((error: { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
  res.status(error.status ?? 500).json({ message: 'The request could not be handled.' })
})

function findItem(req: Request) {
  return CATALOGUE.find(({ sku }) => sku === req.body?.sku)
}

const server = app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    console.error(`The shop cannot listen on port ${port}: ${error.message}`)
    process.exit(1)
  }
  console.log(`shop listening on http://localhost:${port}`)
})
process.on('SIGTERM', () => server.close())
process.on('SIGINT', () => server.close())
