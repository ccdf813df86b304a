import { Anchor } from '@mantine/core'
import { useApiQuery } from '../api/useApiQuery.ts'

/** Says whom to contact about a suspension: the configured address or page. */
export function SupportContact() {
  const contact = useApiQuery('GET /api/auth/methods').data?.supportContact ?? null
  if (contact === null) return 'If you think that this is a mistake, contact the people who run this service.'
  return (
    <>
      If you think that this is a mistake, contact{' '}
      <Anchor href={/^https?:/.test(contact) ? contact : `mailto:${contact}`} inherit underline="always">
        {contact}
      </Anchor>
      .
    </>
  )
}
