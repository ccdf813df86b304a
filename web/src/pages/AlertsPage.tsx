import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { Alert } from '@svc/core/contract/alerts.ts'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../api/callApi.ts'
import { PENDING_POLL_MS, useApiList } from '../api/useApiList.ts'
import { useApiMutation } from '../api/useApiMutation.ts'
import { useInvalidate } from '../api/useInvalidate.ts'
import { revealText } from '../parts/code/revealText.ts'
import { FailureNote } from '../parts/FailureNote.tsx'
import { Icon } from '../parts/Icon.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { EmptyNote } from '../parts/lists/EmptyNote.tsx'
import { OpenOrAll, ShowAll, useIsAll } from '../parts/lists/OpenOrAll.tsx'
import { Rows } from '../parts/lists/Rows.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { When } from '../parts/When.tsx'

/** Maximum number of alerts per request. */
const BATCH_MAX = 100

/** The alerts of the account, newest first. */
export function AlertsPage() {
  const isAll = useIsAll()
  const query = useApiList('GET /api/alerts', {
    query: isAll ? {} : { status: 'unread' },
    pollMs: PENDING_POLL_MS,
  })
  const unread = query.items.filter(canMarkRead)
  const reading = useMarkAllRead(unread)
  return (
    <>
      <PageHeader title="Alerts" description="What needs your attention in your account and organisations.">
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
        <OpenOrAll path="/alerts" name="alerts" open="Unread" />
      </PageHeader>
      {reading.error && (
        <Box mb="md">
          <FailureNote error={reading.error} />
        </Box>
      )}
      <Rows query={query} empty={<Nothing />}>
        {(alert) => <AlertRow key={alert.id} alert={alert} />}
      </Rows>
    </>
  )
}

/** Viewers of an organisation see its alerts but cannot mark them as read. */
function canMarkRead({ readAt, mayMarkRead }: Alert): boolean {
  return readAt === null && mayMarkRead
}

function AlertRow({ alert }: { alert: Alert }) {
  const { id, message, severity, createdAt, readAt, data } = alert
  const change = useApiMutation('POST /api/alerts/:alertId/read', { invalidates: ['GET /api/alerts'] })
  const read = () => change.mutate({ params: { alertId: id } })
  const target = findTarget(alert)
  const about =
    data.host ?? data.url ?? data.organizationName ?? data.agentName ?? data.agentId ?? data.svceId
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
              {revealText(about)}
            </Text>
          )}
          {data.reason && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              Reason: {revealText(data.reason)}
            </Text>
          )}
          <FailureNote error={change.error} />
        </Stack>
        <Group gap="xs">
          {canMarkRead(alert) && (
            <Button size="xs" variant="default" loading={change.isPending} onClick={read}>
              Mark as read
            </Button>
          )}
          {target && (
            // Following the link marks the alert as read.
            <LinkButton
              to={target.to}
              size="xs"
              variant="light"
              onFollow={() => canMarkRead(alert) && read()}
            >
              {target.name}
            </LinkButton>
          )}
        </Group>
      </Group>
    </Paper>
  )
}

function useMarkAllRead(alerts: readonly Alert[]) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: async () => {
      for (let from = 0; from < alerts.length; from += BATCH_MAX) {
        const alertIds = alerts.slice(from, from + BATCH_MAX).map(({ id }) => id)
        await callApi('POST /api/alerts/read', { body: { alertIds } })
      }
    },
    onSettled: () => invalidate(['GET /api/alerts']),
  })
}

function Nothing() {
  const isAll = useIsAll()
  return (
    <EmptyNote
      icon="bell"
      title={isAll ? 'No alerts yet' : 'No unread alerts'}
      description="You are alerted when an agent needs your approval, when someone else’s key uses your agent’s identifier, when a counterparty tries out its limits, and when verifications name an unclaimed URL."
    >
      <ShowAll path="/alerts" />
    </EmptyNote>
  )
}

/** Finds the page that an alert is about, and the label of the link to it; null if there is none. */
function findTarget({ code, data }: Alert): { to: string; name: string } | null {
  const { approvalId, requestId, agentId, svceId, endpointId, organizationId } = data
  if (approvalId) return { to: `/activity/pending/${approvalId}`, name: 'View request' }
  if (requestId) return { to: `/registration-requests/${requestId}`, name: 'View request' }
  if (code.startsWith('kyd.')) return { to: '/kyd', name: 'View verification' }
  if (agentId) return { to: `/agents/${agentId}`, name: 'View agent' }
  const endpoint = svceId || endpointId
  if (endpoint) return { to: `/endpoints/${endpoint}`, name: 'View endpoint' }
  if (organizationId) return { to: `/organisations/${organizationId}`, name: 'View organisation' }
  return null
}
