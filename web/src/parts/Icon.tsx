/** Outlines on a 24 × 24 grid. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6V4h-6zM4 20h6v-3H4z',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  agents: 'M12 3v3M6 8h12v10H6zM9 13h.01M15 13h.01M3 12v3M21 12v3M10 21h4',
  audit: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h4',
  endpoints: 'M4 5h16v5H4zM4 14h16v5H4zM8 7.5h.01M8 16.5h.01',
  keys: 'M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M11.2 12.3 20 3.5M16.5 7l3 3M14 9.5l2 2',
  organisations: 'M4 20V6l8-3 8 3v14M9 20v-5h6v5M8.5 9h.01M12 9h.01M15.5 9h.01',
  shield: 'M12 3 19.5 6v5.5c0 4.5-3 7.5-7.5 9.5-4.5-2-7.5-5-7.5-9.5V6zM9 12l2 2 4-4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 12 5 5L20 7',
  cross: 'M6 6l12 12M18 6 6 18',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2h.01',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7a2 2 0 0 1 2-2h10v2M16 13h.01',
  passkey:
    'M9.5 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M3 20c.5-4 3-6 6.5-6 1 0 2 .2 2.8.6M18 16a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M18 16v5l-1.5-1.5',
  approvals: 'M5 4h14v16H5zM8.5 12l2.5 2.5 4.5-5M9 4V2.5h6V4',
  requests: 'M5 8h10v10H5zM8 12h.01M12 12h.01M10 8V5.5M18 4v6M15 7h6',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5l12 7-12 7z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  plus: 'M12 5v14M5 12h14',
  docs: 'M12 6.5C9.5 5 6.5 4.8 3.5 5.5v13c3-.7 6-.5 8.5 1 2.5-1.5 5.5-1.7 8.5-1v-13c-3-.7-6-.5-8.5 1M12 6.5v13',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon, hidden from screen readers: its meaning must also be given in words. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flexShrink: 0 }}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
