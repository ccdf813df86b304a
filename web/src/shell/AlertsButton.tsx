import { ActionIcon, Indicator } from '@mantine/core'
import { Icon } from '../parts/Icon.tsx'
import { followLink } from '../router/followLink.ts'

/** The way to the alerts, with the number of unread ones. */
export function AlertsButton({ unread }: { unread: number }) {
  return (
    <Indicator label={unread > 99 ? '99+' : unread} size={16} disabled={unread === 0} color="red.8">
      <ActionIcon
        component="a"
        href="/alerts"
        onClick={followLink}
        variant="default"
        size="lg"
        aria-label={unread === 0 ? 'Alerts' : `Alerts, ${unread} unread`}
      >
        <Icon name="bell" />
      </ActionIcon>
    </Indicator>
  )
}
