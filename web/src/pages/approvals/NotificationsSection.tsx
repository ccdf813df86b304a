import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { PushSubscriptionView } from '@svc/core/contract/pushSubscriptions.ts'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../api/callApi.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { announce } from '../../parts/announce.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { canBeNotified, subscribeBrowser } from './subscribeBrowser.ts'

const LIST = 'GET /api/push-subscriptions'

/** The browsers that notify the person of approvals: adds this one, and removes any. */
export function NotificationsSection() {
  const query = useApiQuery(LIST)
  return (
    <Section
      title="Notifications"
      description="Be notified in a browser when a request is waiting for you. A notification says which agent asks, and nothing else."
    >
      <Loaded query={query}>
        {({ publicKey, items }) => (
          <Stack gap="sm">
            {items.map((subscription) => (
              <Browser key={subscription.id} subscription={subscription} />
            ))}
            {canBeNotified() ? (
              <NotifyHere publicKey={publicKey} />
            ) : (
              <Text c="dimmed" size="sm">
                This browser cannot be notified. It has to support push notifications, and to reach this site
                over HTTPS.
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function NotifyHere({ publicKey }: { publicKey: string }) {
  const invalidate = useInvalidate()
  const adding = useMutation({
    mutationFn: async () =>
      callApi('POST /api/push-subscriptions', { body: await subscribeBrowser(publicKey) }),
    onSuccess: async () => {
      await invalidate([LIST])
      announce('This browser is notified')
    },
  })
  return (
    <>
      <FailureNote error={adding.error} />
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="bell" size={16} />}
          loading={adding.isPending}
          onClick={() => adding.mutate()}
        >
          Notify me in this browser
        </Button>
      </Group>
    </>
  )
}

function Browser({ subscription: { id, browser, createdAt } }: { subscription: PushSubscriptionView }) {
  const remove = useApiMutation('DELETE /api/push-subscriptions/:id', {
    invalidates: [LIST],
    says: 'Removed',
  })
  const name = browser ?? 'Unknown browser'
  return (
    <Paper withBorder px="md" py="sm" role="group" aria-label={name}>
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0}>
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            Notified since <When time={createdAt} />
          </Text>
        </Stack>
        <Button
          variant="light"
          color="red"
          size="xs"
          loading={remove.isPending}
          onClick={() => remove.mutate({ params: { id } })}
          aria-label={`Stop notifying ${name}`}
        >
          Stop
        </Button>
      </Group>
      <FailureNote error={remove.error} />
    </Paper>
  )
}
