/**
 * An independent verifier: the packages `tlog` and `note` of golang.org/x/mod, which the tools of Go carry. They follow
 * a log of ours from tile to tile. Skipped where there is no Go.
 */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toBase64 } from '../../shared/log/bytes.ts';
import { checkpointText } from '../../shared/log/checkpoint.ts';
import { cosignatureLineOf, cosignedBytes } from '../../shared/log/cosignature.ts';
import { keyIdOf, type NoteKey, signatureLineOf, vkeyOf } from '../../shared/log/note.ts';
import { consistencyRanges, inclusionRanges } from '../../shared/log/path.ts';
import { hashesOf, pathOfTile, type Tile, widthIn } from '../../shared/log/tile.ts';
import { emptyTree, grownBy, leafHashOf, rootOf } from '../../shared/log/tree.ts';

const goFolder = process.env['GOROOT'] ?? '/usr/local/go';
const packages = join(goFolder, 'src/cmd/vendor/golang.org/x/mod/sumdb');
const go = join(goFolder, 'bin/go');
const hasGo = existsSync(go) && existsSync(packages);

const program = `package main

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"

	"check/note"
	"check/tlog"
)

type proof struct {
	From, Index int64
	Path        []tlog.Hash
}
type input struct {
	Key, Checkpoint       string
	Witness               string
	WitnessId             uint32
	WitnessKey            []byte
	Size                  int64
	Root                  tlog.Hash
	Roots                 []tlog.Hash
	Leaves                []tlog.Hash
	Inclusion, Consistency []proof
	Tiles                 map[string]string
	Paths                 []string
}

// A cosignature of C2SP tlog-cosignature, as a verifier of notes.
type cosigner struct {
	name string
	id   uint32
	key  []byte
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.id }
func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 72 {
		return false
	}
	head := fmt.Sprintf("cosignature/v1\\ntime %d\\n", binary.BigEndian.Uint64(sig))
	return ed25519.Verify(c.key, append([]byte(head), msg...), sig[8:])
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	var in input
	must(json.NewDecoder(os.Stdin).Decode(&in))
	verifier, err := note.NewVerifier(in.Key)
	must(err)
	witness := cosigner{in.Witness, in.WitnessId, in.WitnessKey}
	opened, err := note.Open([]byte(in.Checkpoint), note.VerifierList(verifier, witness))
	must(err)
	if len(opened.Sigs) != 2 {
		must(fmt.Errorf("%d signatures", len(opened.Sigs)))
	}
	for _, p := range in.Inclusion {
		must(tlog.CheckRecord(p.Path, in.Size, in.Root, p.Index, in.Leaves[p.Index]))
	}
	for _, p := range in.Consistency {
		must(tlog.CheckTree(p.Path, in.Size, in.Root, p.From, in.Roots[p.From]))
	}
	for _, path := range in.Paths {
		tile, err := tlog.ParseTilePath(path)
		must(err)
		if tile.Path() != path {
			must(fmt.Errorf("%s is %s", path, tile.Path()))
		}
	}
	fmt.Println("verified")
}
`;

/** The path by which Go's tiles are found: the height of a tile stands before its level. */
const goPathOf = (tile: Tile) => `tile/8/${pathOfTile(tile)}`;

test.skipIf(!hasGo)(
  'Go verifies our checkpoint, a cosignature, our proofs and the paths of our tiles',
  async () => {
    const leaves = Array.from({ length: 600 }, (_, index) =>
      leafHashOf(Buffer.from(`leaf ${index}`)),
    );
    const sizes = [1, 2, 7, 255, 256, 257, 512, 599, 600];
    const roots = leaves.map((_, size) => rootOf(grownBy(emptyTree, leaves.slice(0, size))));
    const tree = grownBy(emptyTree, leaves);
    const read = async (tiles: readonly Tile[]) =>
      tiles.map(({ level, number, width }) =>
        Array.from({ length: width }, (_, index) => {
          const [span, at] = [256 ** level, number * 256 + index];
          return rootOf(grownBy(emptyTree, leaves.slice(at * span, (at + 1) * span)));
        }),
      );
    const texts = async (ranges: readonly (readonly [number, number])[]) =>
      (await hashesOf(ranges, tree.size, read)).map(toBase64);
    const inclusion = await Promise.all(
      sizes.map(async (size) => ({
        Index: size - 1,
        Path: await texts(inclusionRanges(size - 1, tree.size)),
      })),
    );
    const consistency = await Promise.all(
      sizes.map(async (size) => ({
        From: size,
        Path: await texts(consistencyRanges(size, tree.size)),
      })),
    );
    const pair = generateKeyPairSync('ed25519');
    const key: NoteKey = {
      name: 'countersign/$ldg.1',
      public: pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    };
    const text = checkpointText({ origin: key.name, size: tree.size, root: rootOf(tree) });
    const witness: NoteKey = { ...key, name: 'witness.example/w1', type: 4 };
    const seen = sign(null, cosignedBytes(text, 1_679_315_147), pair.privateKey);
    const lines = [
      signatureLineOf(key, sign(null, Buffer.from(text), pair.privateKey)),
      cosignatureLineOf(witness, 1_679_315_147, seen),
    ];
    const said = {
      Key: vkeyOf(key),
      Checkpoint: `${text}\n${lines.join('')}`,
      Witness: witness.name,
      WitnessId: Buffer.from(keyIdOf(witness)).readUInt32BE(),
      WitnessKey: toBase64(witness.public),
      ...{ Size: tree.size, Root: toBase64(rootOf(tree)) },
      Roots: [...roots, rootOf(tree)].map(toBase64),
      Leaves: leaves.map(toBase64),
      ...{ Inclusion: inclusion, Consistency: consistency },
      Paths: [
        [0, 0],
        [0, 2],
        [1, 0],
      ]
        .map(([level = 0, number = 0]) => ({
          level,
          number,
          width: widthIn(600, { level, number }),
        }))
        .concat([{ level: 3, number: 1_234_067, width: 9 }])
        .map(goPathOf),
    };
    expect(verifiedByGo(said)).toBe('verified\n');
    const [first] = inclusion;
    const forged = { ...said, Inclusion: [{ ...first, Index: 3 }] };
    expect(() => verifiedByGo(forged)).toThrow('Command failed');
  },
);

function verifiedByGo(said: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-go-'));
  try {
    for (const name of ['tlog', 'note'])
      cpSync(join(packages, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith('_test.go'),
      });
    writeFileSync(join(folder, 'go.mod'), 'module check\n\ngo 1.22\n');
    writeFileSync(join(folder, 'main.go'), program);
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    const options = { cwd: folder, env, input: JSON.stringify(said), stdio: 'pipe' } as const;
    return execFileSync(go, ['run', '.'], options).toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
