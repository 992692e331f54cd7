import { lstat, readlink } from 'node:fs/promises';

/** How this machine lays out its programs: with /bin and the like as links into /usr (most), or as directories of their own. */
export interface HostLayout {
  readonly links: readonly { readonly at: string; readonly target: string }[];
  readonly directories: readonly string[];
}

const TOP_LEVEL = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;

export async function readHostLayout(): Promise<HostLayout> {
  const links: { at: string; target: string }[] = [];
  const directories: string[] = [];
  for (const at of TOP_LEVEL) {
    const found = await lstat(at).catch(() => null);
    if (found?.isSymbolicLink()) links.push({ at, target: await readlink(at) });
    else if (found?.isDirectory()) directories.push(at);
  }
  return { links, directories };
}
