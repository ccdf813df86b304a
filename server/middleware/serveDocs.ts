import { join } from 'node:path'
import express, { type NextFunction, type Request, type Response } from 'express'
import { servePrecompressed } from './servePrecompressed.ts'

/** Caching of files whose names change with their content, and of those whose names stay. */
const NEVER_CHANGES = { immutable: true, maxAge: '1y' }
const MAY_CHANGE = { immutable: false, maxAge: '0' }

/**
 * Serves the built documentation: addresses without an extension are pages, and unknown ones show the site's own 404 page.
 *
 * @param root Folder of the built site. If it does not exist, the next handler responds.
 */
export function serveDocs(root: string): express.Express {
  const assets = join(root, 'assets')
  // An application of its own, because that of the API sends no ETags.
  const app = express()
  app.disable('x-powered-by')
  app.use('/assets', servePrecompressed(assets, NEVER_CHANGES), express.static(assets, NEVER_CHANGES))
  app.get('/{*path}', (req: Request, res: Response, next: NextFunction) => {
    // Relative addresses and the site's own routing need the slash.
    if (req.originalUrl.split('?')[0] === req.baseUrl) return res.redirect(308, `${req.baseUrl}/`)
    req.url = fileOf(req.path)
    next()
  })
  app.use(servePrecompressed(root, MAY_CHANGE), express.static(root, { redirect: false }))
  app.get('/{*path}', (_req: Request, res: Response, next: NextFunction) => {
    res.status(404).sendFile('404.html', { root }, (error) => error && next())
  })
  return app
}

/** The file of an address: `/errors` is `/errors.html`, and `/decisions/` is `/decisions/index.html`. */
function fileOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`
  return /\.[^/]*$/.test(path) ? path : `${path}.html`
}
