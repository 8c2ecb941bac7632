// Reads a served log with Go's own packages and tessera's client, and verifies it: the checkpoint, every entry by an
// inclusion proof, and that the log of each smaller size is a beginning of it.
//
//	go run . http://127.0.0.1:4173/log <key of the log>
package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/client"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	ctx := context.Background()
	root, err := url.Parse(os.Args[1] + "/")
	check(err)
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)
	log, err := client.NewHTTPFetcher(root, http.DefaultClient)
	check(err)
	point, raw, _, err := client.FetchCheckpoint(ctx, log.ReadCheckpoint, verifier, verifier.Name())
	check(err)
	signed, err := note.Open(raw, note.VerifierList(verifier))
	check(err)
	size, err := tlog.ParseTree([]byte(
		"go.sum database tree\n" + signed.Text[len(verifier.Name())+1:]))
	check(err)
	builder, err := client.NewProofBuilder(ctx, point.Size, log.ReadTile)
	check(err)
	var hashes []tlog.Hash
	read := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(at))
		for n, index := range at {
			found[n] = hashes[index]
		}
		return found, nil
	})
	for index := uint64(0); index < point.Size; {
		bundle, err := client.GetEntryBundle(ctx, log.ReadEntryBundle, index/256, point.Size)
		check(err)
		for _, entry := range bundle.Entries {
			steps, err := builder.InclusionProof(ctx, index)
			check(err)
			leaf := rfc6962.DefaultHasher.HashLeaf(entry)
			check(proof.VerifyInclusion(rfc6962.DefaultHasher, index, point.Size, leaf, steps, point.Hash))
			stored, err := tlog.StoredHashes(int64(index), entry, read)
			check(err)
			hashes = append(hashes, stored...)
			index++
			smaller, err := tlog.TreeHash(int64(index), read)
			check(err)
			steps, err = builder.ConsistencyProof(ctx, index, point.Size)
			check(err)
			check(proof.VerifyConsistency(rfc6962.DefaultHasher, index, point.Size, steps, smaller[:], point.Hash))
		}
	}
	whole, err := tlog.TreeHash(size.N, read)
	check(err)
	if !bytes.Equal(whole[:], point.Hash) || whole != size.Hash {
		check(fmt.Errorf("the root of the entries is %v, that of the checkpoint %v", whole, size.Hash))
	}
	fmt.Printf("%s %d %v\n", point.Origin, point.Size, whole)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
