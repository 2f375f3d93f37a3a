/**
 * Takes the folders of expired tasks out of the blob folder, beside readers, writers and other sweeps, and whatever crashes
 * when. A task's folder goes by renames, so that it is there whole or gone at once:
 *
 *     <taskId>   →   <taskId>~<random>   →   <taskId>~<random>~gone   →   removed
 *                    claimed: looked at again   decided
 *
 * Who wrote into it before the claim has made it young: it is given back. Who writes after the claim finds no folder and
 * makes a new one. What a crash leaves claimed or gone, the next sweep carries on with.
 */
import { randomUUID } from 'node:crypto';
import { link, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TASK_ID_PATTERN } from '../protocol/extension.ts';
import type { SweepOptions } from './blobs.ts';
import { CALLER_PATTERN, folderWrittenAt, NAME_PATTERN, SIDECAR_SUFFIX } from './folder-layout.ts';
import { namesIn, orAbsent, unless } from './whole-files.ts';

const GONE = 'gone';

/** How many tasks it has removed. */
export async function sweepFolder(root: string, { writtenBefore, limit, signal }: SweepOptions): Promise<number> {
  let count = 0;
  for (const caller of (await namesIn(root)).filter((name) => CALLER_PATTERN.test(name))) {
    const folder = join(root, caller);
    for (const name of await namesIn(folder)) {
      if (count >= limit || signal?.aborted === true) return count;
      if (await sweepTask(folder, name, writtenBefore)) count += 1;
    }
    await unless(rmdir(folder), ['ENOTEMPTY', 'EEXIST', 'ENOENT']);
  }
  return count;
}

/** Whether `name` was the folder of an expired task, or what was left of one. */
async function sweepTask(folder: string, name: string, writtenBefore: number): Promise<boolean> {
  const [taskId = '', claim, end] = name.split('~');
  if (!TASK_ID_PATTERN.test(taskId)) return false;
  const path = join(folder, name);
  if (end === GONE) return remove(path);
  if (claim !== undefined) return decide(path, join(folder, taskId), writtenBefore);
  if (!(await isExpired(path, writtenBefore))) return false;
  const claimed = `${path}~${randomUUID()}`;
  await orAbsent(rename(path, claimed));
  return decide(claimed, path, writtenBefore);
}

async function decide(claimed: string, home: string, writtenBefore: number): Promise<boolean> {
  if (await isExpired(claimed, writtenBefore)) {
    const gone = `${claimed}~${GONE}`;
    await orAbsent(rename(claimed, gone));
    return remove(gone);
  }
  await giveBack(claimed, home);
  return false;
}

async function isExpired(path: string, writtenBefore: number): Promise<boolean> {
  const writtenAt = await folderWrittenAt(path);
  return writtenAt !== undefined && writtenAt < writtenBefore;
}

async function giveBack(claimed: string, home: string): Promise<void> {
  const moved = rename(claimed, home).then(() => true);
  if ((await unless(moved, ['ENOTEMPTY', 'EEXIST', 'ENOENT'])) === true) return;
  // Somebody has made the folder anew: what they wrote stands, and a link never replaces it.
  for (const name of (await namesIn(claimed)).filter((file) => NAME_PATTERN.test(file))) {
    if (await linked(join(claimed, name), join(home, name))) {
      await linked(join(claimed, name + SIDECAR_SUFFIX), join(home, name + SIDECAR_SUFFIX));
    }
  }
  await remove(claimed);
}

async function linked(from: string, to: string): Promise<boolean> {
  return (
    (await unless(
      link(from, to).then(() => true),
      ['EEXIST', 'ENOENT'],
    )) === true
  );
}

async function remove(path: string): Promise<boolean> {
  await rm(path, { recursive: true, force: true });
  return true;
}
