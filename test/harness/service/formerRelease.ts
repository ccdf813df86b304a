/**
 * The commit that operators upgrade from: the newest one that was released before this code. Its processes may still run
 * while they are replaced. Once a newer commit has been released, it is named here; `FORMER_RELEASE` names another one for a
 * single run of the tests.
 */
export const formerRelease = process.env.FORMER_RELEASE || '9eb4c891f343ed3fc737dadde9e9dae1907ffb62'
