import { Box, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/callApi.ts'
import type { DashboardAlert } from '../api/types.ts'
import { PENDING_POLL_MS, useApiList } from '../api/useApiList.ts'
import { useApiMutation } from '../api/useApiMutation.ts'
import { EmptyNote } from '../parts/EmptyNote.tsx'
import { FailureNote } from '../parts/FailureNote.tsx'
import { Icon } from '../parts/Icon.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Rows } from '../parts/Rows.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { When } from '../parts/When.tsx'
import { navigate, useAddress } from '../router/navigate.ts'

const PATH = '/api/alerts'
/** Alerts that one request marks. Source: api.md "Envelope", arrays. */
const READ_AT_ONCE_MAX = 100

/** What the service wants the account to know, newest first. */
export function AlertsPage() {
  const { search } = useAddress()
  const isAll = search.get('show') === 'all'
  const query = useApiList<DashboardAlert>(PATH, isAll ? {} : { status: 'unread' }, {
    pollMs: PENDING_POLL_MS,
  })
  const unread = query.items.filter(isToRead)
  const reading = useReadAll(unread)
  return (
    <>
      <PageHeader
        title="Alerts"
        description="What needs your attention, in your account and its organisations."
      >
        {unread.length > 1 && (
          <Button
            variant="default"
            leftSection={<Icon name="check" />}
            loading={reading.isPending}
            onClick={() => reading.mutate()}
          >
            Mark these as read
          </Button>
        )}
        <SegmentedControl
          aria-label="Which alerts"
          value={isAll ? 'all' : 'unread'}
          onChange={(value) => navigate(value === 'all' ? '/alerts?show=all' : '/alerts', { replace: true })}
          data={[
            { value: 'unread', label: 'Unread' },
            { value: 'all', label: 'All' },
          ]}
        />
      </PageHeader>
      {reading.error && (
        <Box mb="md">
          <FailureNote error={reading.error} />
        </Box>
      )}
      <Rows query={query} empty={<Nothing isAll={isAll} />}>
        {(alert) => <AlertRow key={alert.id} alert={alert} />}
      </Rows>
    </>
  )
}

/** A viewer of an organisation sees its alerts, and its other members mark them. */
function isToRead({ readAt, mayMarkRead }: DashboardAlert): boolean {
  return readAt === null && mayMarkRead
}

function AlertRow({ alert }: { alert: DashboardAlert }) {
  const { id, message, severity, createdAt, readAt, data } = alert
  const change = useApiMutation({ invalidates: [PATH] })
  const read = () => change.mutate({ method: 'POST', path: `${PATH}/${id}/read`, body: {} })
  const place = alertPlace(alert)
  const about = data.host ?? data.agentId ?? data.endpointId
  return (
    <Paper withBorder px="md" py="sm" component="article" aria-label={message}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={4} style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Group gap="xs">
            <StatusBadge value={severity} />
            {readAt === null && <StatusBadge value="unread" />}
            <Text size="sm" c="dimmed">
              <When time={createdAt} />
            </Text>
          </Group>
          <Text fw={readAt === null ? 600 : 400}>{message}</Text>
          {about && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {about}
            </Text>
          )}
          <FailureNote error={change.error} />
        </Stack>
        <Group gap="xs">
          {isToRead(alert) && (
            <Button size="xs" variant="default" loading={change.isPending} onClick={read}>
              Mark as read
            </Button>
          )}
          {place && (
            // Who looks at what an alert is about has read it.
            <LinkButton to={place.to} size="xs" variant="light" onFollow={() => isToRead(alert) && read()}>
              {place.name}
            </LinkButton>
          )}
        </Group>
      </Group>
    </Paper>
  )
}

function useReadAll(alerts: readonly DashboardAlert[]) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      for (let from = 0; from < alerts.length; from += READ_AT_ONCE_MAX) {
        const alertIds = alerts.slice(from, from + READ_AT_ONCE_MAX).map(({ id }) => id)
        await callApi({ method: 'POST', path: `${PATH}/read`, body: { alertIds } })
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [PATH] }),
  })
}

function Nothing({ isAll }: { isAll: boolean }) {
  return (
    <EmptyNote
      icon="bell"
      title={isAll ? 'No alerts yet' : 'Nothing unread'}
      description="You are alerted when an agent waits for your approval, when somebody else’s key uses your agent’s identifier, and when verifications name a URL that nobody has claimed."
    >
      {!isAll && (
        <LinkButton to="/alerts?show=all" variant="default">
          Earlier ones
        </LinkButton>
      )}
    </EmptyNote>
  )
}

/** Where what an alert is about can be seen, and the words of the link; null when there is no such page. */
function alertPlace({ code, data }: DashboardAlert): { to: string; name: string } | null {
  const { approvalId, requestId, agentId, svceId, endpointId } = data
  if (approvalId) return { to: `/activity/pending/${approvalId}`, name: 'Look at the request' }
  if (requestId) return { to: `/registration-requests/${requestId}`, name: 'Look at the request' }
  if (code.startsWith('kyd.')) return { to: '/kyd', name: 'Look at your identity' }
  if (agentId) return { to: `/agents/${agentId}`, name: 'Look at the agent' }
  const endpoint = svceId || endpointId
  if (endpoint) return { to: `/endpoints/${endpoint}`, name: 'Look at the endpoint' }
  return null
}
