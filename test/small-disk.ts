// Mounts a small disk that tests can fill, if the machine allows it.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mebibyte = 1024 * 1024

export interface SmallDisk {
  readonly folder: string
  freeMb(): number
  fillTo(megabytes: number): void
  empty(): void
  remove(): void
}

/**
 * Mounts a disk of `megabytes`. If this process lacks the rights, it warns and returns undefined.
 * @param over the folder on which it is mounted; default: a new one, which is removed with it
 */
export function mountSmallDisk(megabytes: number, over?: string): SmallDisk | undefined {
  const folder = over ?? mkdtempSync(join(tmpdir(), 'comporta-disk-'))
  const removeOwn = () => {
    if (over === undefined) rmdirSync(folder)
  }
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'comporta-test', folder], {
      stdio: 'ignore',
    })
  } catch {
    removeOwn()
    console.warn('NOT SHOWN HERE: a full disk. Only root can mount a small one.')
    return undefined
  }
  const unmount = () => {
    execFileSync('umount', ['--lazy', folder])
    removeOwn()
  }
  process.once('exit', unmount)
  return {
    ...filling(folder),
    remove() {
      process.off('exit', unmount)
      unmount()
    },
  }
}

/** For users without the right to mount: a folder on the real disk, which is never full. */
export function folderOnRealDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-disk-'))
  return { ...filling(folder), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function filling(folder: string): Omit<SmallDisk, 'remove'> {
  const filler = join(folder, 'filler')
  const freeMb = () => {
    const { bavail, bsize } = statfsSync(folder)
    return Math.floor((bavail * bsize) / mebibyte)
  }
  return {
    folder,
    freeMb,
    fillTo(megabytes) {
      const chunk = Buffer.alloc(mebibyte, 1)
      while (freeMb() > megabytes) appendFileSync(filler, chunk)
    },
    empty: () => rmSync(filler, { force: true }),
  }
}
