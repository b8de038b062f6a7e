// Checks what the service answers of its tree with Go's own implementation, which shares no line with it. It reads one JSON
// value from standard input and prints, in order, "ok" or the reason against each proof.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Key       string
	Inclusion []struct {
		Leaf       string
		Index      int64
		Hashes     []tlog.Hash
		Checkpoint string
	}
	Consistency []struct {
		Older, Newer string
		Hashes       []tlog.Hash
	}
}

// open reads a checkpoint; tlog.ParseTree knows the Go checksum database's alone.
func open(signed string, keys note.Verifiers) (int64, tlog.Hash, error) {
	opened, err := note.Open([]byte(signed), keys)
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[3] != "" || lines[0] != opened.Sigs[0].Name {
		return 0, tlog.Hash{}, fmt.Errorf("no checkpoint: %q", opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return size, root, err
}

func say(err error) {
	if err != nil {
		fmt.Println(err)
	} else {
		fmt.Println("ok")
	}
}

func main() {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	verifier, err := note.NewVerifier(in.Key)
	if err != nil {
		panic(err)
	}
	keys := note.VerifierList(verifier)
	for _, one := range in.Inclusion {
		size, root, err := open(one.Checkpoint, keys)
		if err == nil {
			err = tlog.CheckRecord(one.Hashes, size, root, one.Index, tlog.RecordHash([]byte(one.Leaf)))
		}
		say(err)
	}
	for _, one := range in.Consistency {
		older, olderRoot, err := open(one.Older, keys)
		if err == nil {
			var newer int64
			var newerRoot tlog.Hash
			newer, newerRoot, err = open(one.Newer, keys)
			if err == nil {
				err = tlog.CheckTree(one.Hashes, newer, newerRoot, older, olderRoot)
			}
		}
		say(err)
	}
}
