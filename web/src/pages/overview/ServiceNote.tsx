import { Alert, Text } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Icon } from '../../parts/Icon.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** Leads to the status of the service, and says so if part of it has a problem. */
export function ServiceNote() {
  const health = useApiQuery('GET /api/health', { alsoAccept: 503, pollMs: 30_000 })
  const link = <TextLink to="/status">Status of the service</TextLink>
  if (health.data === undefined || health.data.status === 'pass') return <Text size="sm">{link}</Text>
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title="Part of the service has a problem"
      role="status"
    >
      {link}
    </Alert>
  )
}
