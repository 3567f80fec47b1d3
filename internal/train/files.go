package train

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Names of the files, which may be compressed (.gz).
const (
	mnistTrain, mnistTest = "train", "t10k" // followed by -images-idx3-ubyte and -labels-idx1-ubyte
	cifar10Test           = "test_batch.bin"
	cifar100Train         = "train.bin"
	cifar100Test          = "test.bin"
)

var cifar10Train = []string{
	"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin",
}

// ReadData reads a folder with the files of MNIST or Fashion-MNIST (idx), or with the binary files of CIFAR-10 or
// CIFAR-100, under the names that they are published with.
func ReadData(folder string) (Data, error) {
	var train, test *Images
	var err error
	switch {
	case exists(folder, mnistTrain+"-images-idx3-ubyte"):
		if train, err = readMNIST(folder, mnistTrain); err == nil {
			test, err = readMNIST(folder, mnistTest)
		}
	case exists(folder, cifar10Train[0]):
		if train, err = readCIFARFiles(folder, cifar10Train, 1, 10); err == nil {
			test, err = readCIFARFiles(folder, []string{cifar10Test}, 1, 10)
		}
	case exists(folder, cifar100Train):
		if train, err = readCIFARFiles(folder, []string{cifar100Train}, 2, 100); err == nil {
			test, err = readCIFARFiles(folder, []string{cifar100Test}, 2, 100)
		}
	default:
		if _, err = os.Stat(folder); err == nil {
			err = fmt.Errorf("%s: no data set; there must be %s-images-idx3-ubyte (MNIST, Fashion-MNIST), "+
				"%s (CIFAR-10) or %s (CIFAR-100) in this folder", folder, mnistTrain, cifar10Train[0], cifar100Train)
		}
	}
	if err != nil {
		return Data{}, err
	}
	data, err := newData(filepath.Base(filepath.Clean(folder)), train, test)
	if err != nil {
		return Data{}, fmt.Errorf("%s: %w", folder, err)
	}
	return data, nil
}

// exists reports whether a folder has a file, plain or compressed.
func exists(folder, name string) bool {
	_, err := find(folder, name)
	return err == nil
}

// find returns the path of a file or of its compressed form.
func find(folder, name string) (string, error) {
	path := filepath.Join(folder, name)
	info, err := os.Stat(path)
	if err != nil {
		if packed, missing := os.Stat(path + ".gz"); missing == nil {
			path, info, err = path+".gz", packed, nil
		}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	return path, err
}

func readMNIST(folder, part string) (*Images, error) {
	m := &Images{Scale: byteScale}
	err := read(folder, part+"-images-idx3-ubyte", func(r io.Reader) (err error) {
		m.Pixels, m.Size, err = readIDXImages(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, read(folder, part+"-labels-idx1-ubyte", func(r io.Reader) (err error) {
		m.Labels, err = readIDXLabels(r)
		return err
	})
}

func readCIFARFiles(folder string, names []string, labels, classes int) (*Images, error) {
	m := &Images{Size: cifarSize, Scale: byteScale}
	for _, name := range names {
		err := read(folder, name, func(r io.Reader) error { return m.readCIFAR(r, labels, classes) })
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// read opens a file, unpacks it where needed, and names it in errors.
func read(folder, name string, use func(io.Reader) error) error {
	path, err := find(folder, name)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := use(in); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
