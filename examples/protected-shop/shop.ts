import type { Verified } from '@svc/client'
import { gateway } from '@svc/client/express'
import express, { type NextFunction, type Request, type Response } from 'express'
import { setting } from '../setting.ts'

/** Prices in euro. What an order costs is decided here, never by what the caller says. */
const CATALOGUE = [
  { sku: 'cable', name: 'USB cable', price: 12 },
  { sku: 'monitor', name: 'Monitor', price: 240 },
  { sku: 'workstation', name: 'Workstation', price: 4900 },
]

const port = Number(setting('PORT', '4000'))
const app = express()

// Before the gateway, because the decision needs the order.
app.use(express.json({ limit: '10kb' }))

// Every request from here on is verified before a handler sees it. Who presents nothing, or may not do this, is answered
// with 403; what the agent's owner has to approve with 202. A service that cannot be asked means 503, never a way in.
app.use(
  gateway<Request>({
    apiBaseUrl: setting('SVC_API_BASE_URL', 'http://localhost:3000/api'),
    apiKey: setting('SVC_API_KEY'),
    counterpartyId: setting('SVC_SHOP_ID'),
    describeRequest: (req) =>
      req.method === 'POST' ? { transactionValue: itemOf(req)?.price, currency: 'EUR' } : {},
  }),
)

app.get('/catalogue', (_req, res) => {
  res.json({ currency: 'EUR', items: CATALOGUE })
})

// The gateway put `agent`, `accessLevel`, `recommendation` and more on the request.
app.post('/orders', (req: Request & Partial<Verified>, res) => {
  const item = itemOf(req)
  if (!item) return void res.status(422).json({ message: 'There is no such item; send {"sku": "…"}.' })
  console.log(`sold ${item.sku} for ${item.price} EUR to ${req.agent?.name}`)
  res.status(201).json({ ordered: item.sku, total: item.price, currency: 'EUR' })
})

// Express's own answer to a body that is no JSON would hold a stack trace.
app.use((error: { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
  res.status(error.status ?? 500).json({ message: 'The request could not be handled.' })
})

function itemOf(req: Request) {
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
