import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { NextFunction, Request, Response } from 'express'

/** Content codings with their file extensions, smallest first. Source: RFC 9110 §8.4.1; RFC 7932. */
const CODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
] as const

/** Paths of built files: no segment is empty or begins with a dot, so that none leads out of the folder. */
const BUILT_FILE = /^\/((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(js|json|css|html|svg))$/

/**
 * Serves the compressed form of a built file to clients that accept it.
 *
 * The build compresses once what a server would compress for each visitor. Without such a file, or for other clients, the
 * next handler serves the file itself. Source: RFC 9110 §12.5.3.
 */
export function servePrecompressed(root: string, options: { immutable: boolean; maxAge: string }) {
  return (req: Request, res: Response, next: NextFunction) => {
    const [, name, type] = BUILT_FILE.exec(req.path) ?? []
    if (name === undefined || type === undefined) return next()
    res.vary('Accept-Encoding')
    const found = CODINGS.find(
      ({ coding, ending }) =>
        req.acceptsEncodings(coding) === coding && existsSync(join(root, name + ending)),
    )
    if (found === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next()
    res.type(type).set('Content-Encoding', found.coding)
    res.sendFile(name + found.ending, { root, ...options }, (error) => {
      if (!error || res.headersSent) return
      res.removeHeader('Content-Encoding')
      next()
    })
  }
}
