// Writes the vectors of package proof of github.com/transparency-dev/merkle, with all that its tests alter in them, as lines of
// JSON into the file VECTORS. tests/generate/log-vectors.long.test.ts puts this file into a copy of that package.
package proof

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/transparency-dev/merkle/rfc6962"
)

// Numbers are texts: they have 64 bits. Valid is what the package says.
type vector struct {
	Kind  string    `json:"kind"`
	One   uint64    `json:"one,string"`
	Other uint64    `json:"other,string"`
	Roots [2][]byte `json:"hashes"`
	Proof [][]byte  `json:"proof"`
	Desc  string    `json:"desc"`
	Valid bool      `json:"valid"`
}

func TestVectors(t *testing.T) {
	file, err := os.Create(os.Getenv("VECTORS"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write := func(v vector) {
		if err := json.NewEncoder(file).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	inclusion := func(p inclusionProbe) {
		err := VerifyInclusion(hasher, p.leafIndex, p.treeSize, p.leafHash, p.proof, p.root)
		write(vector{"inclusion", p.leafIndex, p.treeSize, [2][]byte{p.leafHash, p.root}, p.proof, p.desc, err == nil})
	}
	consistency := func(p consistencyProbe) {
		err := VerifyConsistency(hasher, p.size1, p.size2, p.proof, p.root1, p.root2)
		write(vector{"consistency", p.size1, p.size2, [2][]byte{p.root1, p.root2}, p.proof, p.desc, err == nil})
	}
	for _, p := range inclusionProofs[1:] {
		leaf, root := rfc6962.DefaultHasher.HashLeaf(leaves[p.leaf-1]), roots[p.size-1]
		inclusion(inclusionProbe{p.leaf - 1, p.size, root, leaf, p.proof, "as it is"})
		for _, altered := range corruptInclusionProof(p.leaf-1, p.size, p.proof, root, leaf) {
			inclusion(altered)
		}
	}
	for _, p := range consistencyProofs {
		root1, root2 := roots[p.size1-1], roots[p.size2-1]
		consistency(consistencyProbe{p.size1, p.size2, root1, root2, p.proof, "as it is"})
		if len(p.proof) == 0 {
			continue
		}
		for _, altered := range corruptConsistencyProof(p.size1, p.size2, root1, root2, p.proof) {
			consistency(altered)
		}
	}
}
