import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import { directoryOperations } from '@svc/core/contract/directory.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type SearchDirectoryDeps, searchDirectory } from '../../services/directory/searchDirectory.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const query = z.object({
  skill: z.string().trim().min(1).max(200).optional(),
  protocol: z.enum(PROTOCOLS).optional(),
  minTrust: z.coerce.number().int().min(0).max(100).optional(),
})

/** Source: docs/foreign-agents.md. */
export const getDirectory = operation({
  summary:
    'Lists agents whose owners want them to be found, newest first, by the id, name or tag of a skill, by protocol and by trust score. A page may be short or empty although `hasMore` is true.',
  query: { ...query.shape, ...PAGE_QUERY },
  answer: directoryOperations['GET /api/directory'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { directory: SearchDirectoryDeps }) => async (call) => {
    const page = readPage(call.query)
    const filter = parseInput(query, {
      skill: call.query.get('skill') ?? undefined,
      protocol: call.query.get('protocol') ?? undefined,
      minTrust: call.query.get('minTrust') ?? undefined,
    })
    return { body: writePage(await searchDirectory(parts.directory, { ...filter, page, now: call.now })) }
  },
})
