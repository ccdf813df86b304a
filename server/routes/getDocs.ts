import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getDocs: Operation = {
  summary: 'Shows the reference of every operation as a page.',
  mediaType: 'text/html',
  answer: z.string(),
  errors: [],
  handle: (services) => {
    return () => ({
      body: services.publishedApi().page,
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" },
    })
  },
}
